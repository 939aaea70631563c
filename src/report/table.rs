//! Tables for a terminal. The only file that names comfy-table.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};

/// Lines above, below and under the head; none between rows.
const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// The width from which a table of numbers has room for all its columns.
const WIDE: usize = 100;

/// A table with a head, as wide as `width` at most; wide cells are wrapped.
pub fn table(head: &[&str], rows: &[Vec<String>], width: usize) -> String {
    drawn(&made(head, rows, width))
}

/// The same for names with numbers: all but the first column stands at the right.
pub fn of_numbers(head: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let mut table = made(head, rows, width);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
        if width >= WIDE {
            // Numbers need what they need; what is left is for the names.
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    drawn(&table)
}

fn made(head: &[&str], rows: &[Vec<String>], width: usize) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX))
        .set_header(head.to_vec());
    for row in rows {
        table.add_row(row.clone());
    }
    if let Some(first) = table.column_mut(0) {
        first.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(16)));
    }
    table
}

fn drawn(table: &Table) -> String {
    let drawn = table.to_string();
    let lines: Vec<&str> = drawn.lines().map(str::trim_end).collect();
    lines.join("\n")
}
