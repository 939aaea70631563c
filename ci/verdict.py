"""Compares one report with what a case expects, strictly, as ../shared/cases/FORMAT.md says.

Kinds are rule ids. An entry of `must` and `must_not` has selectors (kind, tool, at, severity); every other member is a
fact, which the finding has to carry. `tool` of a `must` is the subject itself; a `must_not` also forbids findings that
name the tool under `also`.
"""

import json

SEVERITY = {"info": 0, "warn": 1, "error": 2}
SELECTORS = {"kind", "tool", "server", "at", "min_severity", "at_least"}
# Kinds whose `measured` is made of tokens, unless the budget is in bytes. Limits are always exact.
OF_TOKENS = {"payload-over-budget", "tool-over-budget", "payload-growth", "context-share-high"}
TOKEN_PERCENT = 2


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def near(want, found, percent):
    return abs(found - want) * 100 <= abs(want) * percent


def equal(want, found, percent=0):
    """Equal as facts are: numbers by value, lists without order, everything else exactly."""
    if is_number(want) and is_number(found):
        return near(want, found, percent)
    if isinstance(want, list) and isinstance(found, list):
        return sorted(map(canonical, want)) == sorted(map(canonical, found))
    if isinstance(want, dict) and isinstance(found, dict):
        return want.keys() == found.keys() and all(equal(want[key], found[key]) for key in want)
    return type(want) is type(found) and want == found


def canonical(value):
    return json.dumps(value, sort_keys=True)


def listed(value):
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def tool_of(subject):
    """The tool that a subject is or belongs to."""
    return subject["path"][0] if subject["kind"] in ("tool", "parameter") else None


def tools_of(finding):
    return [tool for tool in map(tool_of, [finding["subject"], *finding.get("also", [])]) if tool is not None]


def servers_of(finding):
    """The servers that a finding is about: the target it is of, an entry of a config, or those that it names."""
    own = finding["subject"]["path"] if finding["subject"]["kind"] in ("entry", "server") else []
    return [*own, *listed(finding.get("target")), *listed(finding.get("facts", {}).get("servers"))]


def findings_of(report):
    """All findings of a report, those of several targets with their names."""
    targets = report["targets"]
    if len(targets) == 1:
        return targets[0]["findings"]
    own = [{**finding, "target": target["name"]} for target in targets for finding in target["findings"]]
    return own + report["across"]["findings"]


def below(at, place):
    return (at + "/").startswith(place + "/")


def fact_differs(entry, finding, name):
    """What is wrong with one fact, or nothing."""
    want, facts = entry[name], finding.get("facts", {})
    found = facts.get(name)
    if name == "host":
        named = listed(finding.get("host")) + listed(found) + listed(facts.get("hosts"))
        return None if want in named else f"host {want!r}, found {named}"
    if name == "signal":
        return None if want in listed(found) else f"signal {want!r}, found {found!r}"
    if name == "tools" and equal(want, tools_of(finding)):
        return None
    if name not in facts:
        return f"{name} {want!r}, found no such fact"
    in_bytes = "bytes" in (entry.get("unit"), facts.get("unit"))
    tokens = name == "measured" and entry["kind"] in OF_TOKENS and not in_bytes
    same = equal(want, found, TOKEN_PERCENT if tokens else 0)
    return None if same else f"{name} {want!r}, found {found!r}"


def differences(entry, finding, floor, also=False):
    """Why a finding does not match an entry; empty when it does."""
    if entry["kind"] not in ("*", finding["rule"]):
        return [f"kind {entry['kind']}, found {finding['rule']}"]
    told = []
    if SEVERITY[finding["severity"]] < SEVERITY[entry.get(floor, "info")]:
        told.append(f"{entry[floor]} or above, found {finding['severity']}")
    if "tool" in entry:
        named = tools_of(finding) if also else [tool_of(finding["subject"])]
        if entry["tool"] not in named:
            told.append(f"tool {entry['tool']!r}, found {named}")
    if "server" in entry and entry["server"] not in servers_of(finding):
        told.append(f"server {entry['server']!r}, found {servers_of(finding)}")
    if "at" in entry and not below(finding.get("at") or "", entry["at"]):
        told.append(f"at {entry['at']}, found {finding.get('at')!r}")
    told += [fact_differs(entry, finding, name) for name in entry if name not in SELECTORS]
    return [text for text in told if text]


def short(finding):
    subject = f"{finding['subject']['kind']} {'/'.join(finding['subject']['path'])}"
    parts = [finding["severity"], finding["rule"], subject, finding.get("at") or "", finding.get("message") or ""]
    facts = json.dumps(finding.get("facts", {}), ensure_ascii=False)
    return " | ".join(parts) + (f" | {facts}" if facts != "{}" else "")


def findings_differ(expect, findings):
    told = []
    for entry in expect["must"]:
        tried = [differences(entry, finding, "min_severity") for finding in findings]
        if [] in tried:
            continue
        same_kind = [why for why, finding in zip(tried, findings) if finding["rule"] == entry["kind"]]
        nearest = "; ".join(min(same_kind, key=len)) if same_kind else "no finding of this kind"
        told.append(f"missing {json.dumps(entry, ensure_ascii=False)}: {nearest}")
    for entry in expect["must_not"]:
        for finding in findings:
            if not differences(entry, finding, "at_least", also=True):
                told.append(f"forbidden by {json.dumps(entry, ensure_ascii=False)}: {short(finding)}")
    if expect.get("max_severity") is not None:
        highest = SEVERITY[expect["max_severity"]]
        told += [f"above {expect['max_severity']}: {short(f)}" for f in findings if SEVERITY[f["severity"]] > highest]
    return told


def size_differs(name, want, found, percent):
    return [] if is_number(found) and near(want, found, percent) else [f"{name}: {want}, found {found!r}"]


def measures_differ(want, tolerance, target):
    """`want` has tool_count, payload and perhaps per_tool; bytes and chars are exact, tokens nearly."""
    found = {measure["id"]: measure["value"] for measure in target["measures"]}
    exact, nearly = tolerance.get("bytes", 0), tolerance.get("tokens", TOKEN_PERCENT)
    units = {"bytes": ("bytes", exact), "chars": ("chars", exact),
             "o200k_base": ("o200k", nearly), "cl100k_base": ("cl100k", nearly)}
    told = size_differs("tools.count", want["tool_count"], found.get("tools.count"), 0)
    for unit, value in want.get("payload", {}).items():
        name, percent = units[unit]
        told += size_differs(f"payload.{name}", value, found.get(f"payload.{name}"), percent)
    if "per_tool" in want:
        names = [tool["name"] for tool in target["tools"]]
        if names != [tool["tool"] for tool in want["per_tool"]]:
            return told + [f"per tool: {[tool['tool'] for tool in want['per_tool']]}, found {names}"]
        for tool, has in zip(want["per_tool"], target["tools"]):
            for unit, value in tool.items():
                if unit != "tool":
                    name, percent = units[unit]
                    told += size_differs(f"{tool['tool']} {name}", value, has.get(name), percent)
    return told


def differ(mode, expect, report, code, ended=False):
    """All differences between the verdict and the report; empty when the case passes.

    `ended`: the server of the case stops by itself, so 'could not audit' may be the right answer.
    """
    targets = report["targets"]
    incidents = [incident for target in targets for incident in target["incidents"]]
    told = findings_differ(expect, findings_of(report))
    if "measure" in expect and mode == "multi":
        by_name = {target["name"]: target for target in targets}
        for name, want in expect["measure"].items():
            if name == "all":
                told += size_differs("tools of all", want["tool_count"], report["across"]["tools"], 0)
            else:
                told += measures_differ(want, expect.get("measure_tolerance_percent", {}), by_name[name])
    elif "measure" in expect:
        target, place = targets[0], {"list": "list", "pages": "union"}[mode]
        told += measures_differ(expect["measure"][place], expect.get("measure_tolerance_percent", {}), target)
    if not expect["must"] and not ended:
        # Silence counts only where everything was looked at.
        told += [f"silence is not proven, incident: {canonical(incident)}" for incident in incidents]
    if code != 0 and not incidents and not ended:
        told.append(f"exit code {code} without an incident")
    return told
