//! Tree construction of HTML, as far as the tokens depend on it.

use std::cell::{Cell, RefCell};

use absolve_links::Budgeted;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, expanded_name, local_name, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// Decides how the content of an element is read.
pub(crate) enum Construction {
    /// By the names of the elements, in a fragment.
    Names,
    /// By the names of the elements, and which are in SVG or MathML, until that depends on a tree.
    Light(RefCell<Light>),
    /// By the tree, with the number of `<base href>` so far.
    Tree(Box<TreeBuilder<Handle, Budgeted>>, Cell<usize>),
}

impl Construction {
    /// Returns one without a tree.
    pub(crate) fn light() -> Self {
        Self::Light(RefCell::default())
    }

    /// Returns one with the tree of a document, without scripting.
    pub(crate) fn tree(text: &str) -> Self {
        let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        // The tokens of html5ever are more than those that `rewrite` counts.
        let budgeted = Budgeted::new(text.len().saturating_mul(4));
        Self::Tree(Box::new(TreeBuilder::new(budgeted, options)), Cell::default())
    }

    /// Reports whether the tokens would depend on a tree that is not built, or that takes too much work.
    pub(crate) fn is_stopped(&self) -> bool {
        match self {
            Self::Names => false,
            Self::Light(light) => light.borrow().is_ambiguous,
            Self::Tree(tree, _) => tree.sink.is_spent(),
        }
    }

    /// Returns how many attributes of a tag it reads at most. A tree reads no more, because html5ever compares each one with all others.
    pub(crate) fn attributes(&self, name: &str) -> usize {
        let reads_attributes = match self {
            Self::Names => false,
            Self::Light(_) => name.eq_ignore_ascii_case("base"),
            Self::Tree(..) => true,
        };
        if reads_attributes { 256 } else { 0 }
    }

    /// Reports whether the current position is in SVG or MathML.
    pub(crate) fn is_foreign(&self) -> bool {
        match self {
            Self::Names => false,
            Self::Light(light) => !light.borrow().foreign.is_empty(),
            Self::Tree(tree, _) => tree.adjusted_current_node_present_but_not_in_html_namespace(),
        }
    }

    /// Processes a tag. The tokenizer returns behind it if nothing more is read.
    pub(crate) fn tag(&self, tag: &Tag) -> TokenSinkResult<Handle> {
        let result = match (self, tag.kind) {
            (Self::Tree(tree, bases), kind) => {
                tree.sink.count_formatting(&tag.name, kind);
                let mut tag = tag.clone();
                // html5ever compares it as written.
                for mode in tag.attrs.iter_mut().filter(|one| one.name.local == local_name!("shadowrootmode")) {
                    mode.value = mode.value.to_ascii_lowercase().into();
                }
                if kind == TagKind::StartTag && is_base_with_href(&tag) {
                    let name = QualName::new(None, ns!(), NUMBER.into());
                    tag.attrs.push(Attribute { name, value: bases.get().to_string().into() });
                    bases.set(bases.get() + 1);
                }
                tree.process_token(Token::TagToken(tag), 1)
            }
            (Self::Light(light), TagKind::StartTag) => light.borrow_mut().start_tag(tag),
            (Self::Light(light), TagKind::EndTag) => light.borrow_mut().end_tag(&tag.name),
            (Self::Names, TagKind::StartTag) => by_name(&tag.name),
            (Self::Names, TagKind::EndTag) => TokenSinkResult::Continue,
        };
        if self.is_stopped() { TokenSinkResult::Script(RcDom::default().document) } else { result }
    }

    /// Returns how many templates became shadow roots, if a tree is built.
    pub(crate) fn shadow_roots(&self) -> usize {
        if let Self::Tree(tree, _) = self { tree.sink.shadow_roots() } else { 0 }
    }

    /// Processes another token.
    pub(crate) fn process(&self, token: Token) {
        if let Self::Tree(tree, _) = self {
            let _ = tree.process_token(token, 1);
        }
    }

    /// Returns the value of the first `<base href>` in tree order that is neither in a template nor in SVG, and its number among
    /// those of the source, if a tree was built. Those of the `hidden` numbers do not count.
    pub(crate) fn first_base(&self, hidden: &[usize]) -> Option<(String, usize)> {
        let Self::Tree(tree, _) = self else { return None };
        let mut nodes: Vec<Handle> = vec![tree.sink.tree.document.clone()];
        while let Some(node) = nodes.pop() {
            if let NodeData::Element { name, attrs, .. } = &node.data
                && name.expanded() == expanded_name!(html "base")
                && let [Some(href), Some(number)] = ["href", NUMBER].map(|name| value(&attrs.borrow(), name))
                && let Some(number) = number.parse().ok().filter(|number| !hidden.contains(number))
            {
                return Some((href, number));
            }
            nodes.extend(node.children.borrow().iter().rev().cloned());
        }
        None
    }
}

/// The name of an attribute that no document has, for the number of a `<base href>`.
const NUMBER: &str = " ";

fn is_base_with_href(tag: &Tag) -> bool {
    &*tag.name == "base" && tag.attrs.iter().any(|attribute| &*attribute.name.local == "href")
}

fn value(attributes: &[Attribute], name: &str) -> Option<String> {
    attributes.iter().find(|one| &*one.name.local == name).map(|one| one.value.to_string())
}

/// What decides about tokens without a tree.
#[derive(Default)]
pub(crate) struct Light {
    /// The open elements from svg or math inwards.
    foreign: Vec<LocalName>,
    has_template: bool,
    has_table: bool,
    has_base: bool,
    is_ambiguous: bool,
}

impl Light {
    fn start_tag(&mut self, tag: &Tag) -> TokenSinkResult<Handle> {
        if let Some(open) = self.foreign.last() {
            self.is_ambiguous |= is_integration_point(open) || leaves_foreign_content(&tag.name);
            self.foreign.extend((!tag.self_closing).then(|| tag.name.clone()));
            return TokenSinkResult::Continue;
        }
        match &*tag.name {
            "svg" | "math" => self.foreign.extend((!tag.self_closing).then(|| tag.name.clone())),
            // Most other elements are ignored then.
            "frameset" => self.is_ambiguous = true,
            "template" => self.has_template = true,
            "table" => self.has_table = true,
            // A template whose first content is a column ignores elements of raw text.
            "col" => self.is_ambiguous |= self.has_template,
            // One in a table is moved before it, and one in a template does not count.
            "base" if is_base_with_href(tag) => {
                self.is_ambiguous |= self.has_template || (self.has_base && self.has_table);
                self.has_base = true;
            }
            _ => {}
        }
        by_name(&tag.name)
    }

    fn end_tag(&mut self, name: &LocalName) -> TokenSinkResult<Handle> {
        self.is_ambiguous |= self.foreign.pop().is_some_and(|open| open != *name);
        TokenSinkResult::Continue
    }
}

/// Decides by its name alone how the content of an element of HTML is read.
fn by_name(element: &str) -> TokenSinkResult<Handle> {
    match element {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" => TokenSinkResult::RawData(RawKind::Rawtext),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

/// Reports whether the content of an element of SVG or MathML may be HTML (WHATWG HTML, section 13.2.6).
fn is_integration_point(element: &str) -> bool {
    matches!(element, "foreignobject" | "desc" | "title" | "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml")
}

/// Reports whether a start tag may leave SVG or MathML (section 13.2.6.5).
fn leaves_foreign_content(element: &str) -> bool {
    const ELEMENTS: &str = " b big blockquote body br center code dd div dl dt em embed font h1 h2 h3 h4 h5 h6 head hr i img li \
                            listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var ";
    ELEMENTS.contains(&format!(" {element} "))
}
