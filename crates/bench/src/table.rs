//! Tables of Markdown.

/// A table of things that have properties.
#[derive(Debug)]
pub(crate) struct Table<'t, T> {
    things: &'t [T],
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl<'t, T> Table<'t, T> {
    pub(crate) fn new(things: &'t [T]) -> Self {
        Self { things, titles: Vec::new(), rows: vec![Vec::new(); things.len()] }
    }

    /// Adds a column: its title, and a cell for each thing.
    pub(crate) fn column(mut self, title: impl Into<String>, cell: impl Fn(&T) -> String) -> Self {
        self.titles.push(title.into());
        for (row, thing) in self.rows.iter_mut().zip(self.things) {
            row.push(cell(thing));
        }
        self
    }

    pub(crate) fn text(&self) -> String {
        let rule = format!("|---|{}", "---:|".repeat(self.titles.len() - 1));
        let rows = self.rows.iter().map(|row| line(row));
        [line(&self.titles), rule].into_iter().chain(rows).map(|line| line + "\n").collect()
    }
}

fn line(cells: &[String]) -> String {
    format!("| {} |", cells.join(" | "))
}

/// Returns a cell; without a figure it is empty.
pub(crate) fn cell(figure: Option<f64>) -> String {
    match figure {
        None => String::new(),
        Some(figure) if figure < 10.0 => format!("{figure:.2}"),
        Some(figure) if figure < 100.0 => format!("{figure:.1}"),
        Some(figure) => format!("{figure:.0}"),
    }
}

/// Returns a cell of seconds.
pub(crate) fn seconds(figure: Option<f64>) -> String {
    figure.map_or(String::new(), |figure| format!("{figure:.3}"))
}

/// Returns a cell with how many times the other figure the one is.
pub(crate) fn ratio(one: Option<f64>, other: Option<f64>) -> String {
    cell(one.zip(other).map(|(one, other)| one / other))
}
