//! The client behind a proxy.

use super::*;

/// What a client says that reaches `url` through a proxy with a password.
fn told_through(proxy: &str, url: &str) -> Told {
    let proxy = Proxy::new(&proxy.replace("//", "//user:s3cret@")).unwrap();
    let client = Client::through(Some(proxy), &Limits::default());
    client.send(post(1, url), PATIENCE);
    told(&client)
}

#[test]
fn a_proxy_is_asked_to_connect() {
    let server = saying(format!("{OK}Content-Length: 2\r\n\r\n[]"));
    let to = server.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let expected = format!("CONNECT {to} HTTP/1.1");
    let proxy = serve(move |mut near, request| {
        assert!(request.starts_with(&expected), "{request}");
        assert!(request.contains("Basic dXNlcjpzM2NyZXQ="), "{request}");
        let far = TcpStream::connect(&to).unwrap();
        near.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").unwrap();
        let (mut from, mut into) = (near.try_clone().unwrap(), far.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut from, &mut into));
        let _gone = std::io::copy(&mut &far, &mut near);
    });
    let told = told_through(&proxy, &server);
    assert_eq!((told.status, told.kind), (200, None), "{}", told.cause);
}

#[test]
fn a_proxy_that_fails_is_named_without_its_password() {
    let refusing = saying("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    let free = format!("http://{}/", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    for (proxy, words) in [
        (refusing.as_str(), "does not connect to `a.test`: proxy server responded 407"),
        (free.as_str(), "connection refused by the proxy `127.0.0.1:"),
        ("http://no-such-host.invalid:3128", "the host of the proxy `no-such-host.invalid:3128` is not known"),
    ] {
        let told = told_through(proxy, "https://a.test/mcp");
        assert_eq!(told.kind, Some(CauseKind::Connect), "{}", told.cause);
        assert!(told.cause.contains(words) && told.cause.contains("NO_PROXY"), "{}", told.cause);
        assert!(!told.cause.contains("s3cret"), "{}", told.cause);
    }
}
