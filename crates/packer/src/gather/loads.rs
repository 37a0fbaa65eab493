//! The links by which a document loads files: a reader follows them to show it.

use absolve_links::{Grammar, Row, Table, When};
use absolve_rewriter::internal::declares_base;

/// Places of images that are one URL: elements and attributes, separated by spaces.
const LOADED: [(&str, &str); 8] = [
    ("img input", "src lowsrc dynsrc"),
    ("image", "src href xlink:href"),
    ("feimage use", "href xlink:href"),
    ("video audio", "poster"),
    ("embed style mglyph v:fill v:image v:imagedata v:stroke v:background", "src"),
    ("object", "data"),
    ("math", "altimg"),
    ("?xml-stylesheet", "href"),
];

/// Relations of a LINK that is loaded. Icons are not: no reader shows them in the document, and mail programs list them
/// as attachments.
const LOADED_LINK: When =
    When::Holds(&["rel"], &["stylesheet", "alternate stylesheet", "stylesheet alternate", "stylesheet preload"]);

/// Returns the rows of `table` that load files or declare bases.
pub(crate) fn loads(table: &Table) -> Table {
    Table::new(table.searched().iter().filter_map(loaded).collect())
}

fn loaded(row: &Row) -> Option<Row> {
    let place = (&*row.element, &*row.attribute);
    if place == ("link", "href") {
        return Some(Row { when: LOADED_LINK, ..row.clone() });
    }
    let holds_loads = matches!(row.grammar, Grammar::Srcset | Grammar::Css | Grammar::Html);
    let has = |words: &str, name: &str| words.split(' ').any(|word| word == name);
    let is_image = |(elements, attributes): &(&str, &str)| has(elements, place.0) && has(attributes, place.1);
    let is_loaded =
        holds_loads || declares_base(place.0, place.1) || place.1 == "background" || LOADED.iter().any(is_image);
    is_loaded.then(|| row.clone())
}

#[cfg(test)]
mod tests {
    use absolve_links::{Document, DocumentType, Refusal, Table};

    use super::{LOADED, loads};

    #[test]
    fn every_place_is_one_of_the_table() {
        let table = Table::default();
        let places = |(elements, attributes): (&'static str, &'static str)| {
            elements
                .split(' ')
                .flat_map(move |element| attributes.split(' ').map(move |attribute| (element, attribute)))
        };
        for (element, attribute) in LOADED.into_iter().flat_map(places) {
            assert!(
                table.rows().iter().any(|row| row.element == element && row.attribute == attribute),
                "{element}@{attribute}"
            );
        }
    }

    #[test]
    fn what_is_followed_is_not_loaded() -> Result<(), Refusal> {
        let html =
            b"<a href=1><img src=2 longdesc=3 srcset='4, 5 2x'><link rel=icon href=6><link rel=StyleSheet href=7>
            <td background=8 style='background:url(9)'><style>@import 'a'; b{c:url(d)}</style><form action=e>
            <blockquote cite=f><meta property=og:image content=g><script src=h></script><iframe src=i></iframe>";
        let document = Document::new(html, DocumentType::Html);
        let scan = document.scan(&loads(&Table::default()))?;
        let found: Vec<_> = scan.links.iter().map(|link| document.reference(link).text().to_owned()).collect();
        assert_eq!(found, ["2", "4", "5", "7", "8", "9", "a", "d"]);
        Ok(())
    }
}
