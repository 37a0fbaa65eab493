//! A document tree with a limit on the work that it may take.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::TagKind;
use html5ever::{Attribute, ExpandedName, QualName, ns};
use markup5ever_rcdom::{Handle, Node, NodeData, RcDom};

use crate::limits::{TREE_CALLS_AT_LEAST, TREE_CALLS_PER_BYTE, TREE_CALLS_PER_COMPARISON};

/// A tree sink with a limit on the work done, because html5ever takes quadratic time on hostile nesting.
///
/// ```
/// use html5ever::tendril::TendrilSink;
/// let parser = html5ever::parse_document(absolve_links::Budgeted::new(1 << 20), Default::default());
/// let _ = parser.one("<p><a href=x>");
/// ```
pub struct Budgeted {
    /// The document so far.
    pub tree: RcDom,
    left: Cell<usize>,
    /// The number of formatting elements that may be open.
    formatting: Cell<usize>,
    /// The elements that have a shadow root.
    hosts: RefCell<HashSet<*const Node>>,
}

impl Budgeted {
    /// Creates an empty tree with the budget of a document of `bytes` bytes.
    ///
    /// ```
    /// assert!(!absolve_links::Budgeted::new(0).is_spent());
    /// ```
    pub fn new(bytes: usize) -> Self {
        let work = bytes.saturating_mul(TREE_CALLS_PER_BYTE).saturating_add(TREE_CALLS_AT_LEAST);
        Self { tree: RcDom::default(), left: Cell::new(work), formatting: Cell::new(0), hosts: RefCell::default() }
    }

    /// Returns whether the budget is spent. The tree is incomplete then.
    ///
    /// ```
    /// use html5ever::tokenizer::TagKind;
    /// let tree = absolve_links::Budgeted::new(0);
    /// (0..10).for_each(|_| tree.count_formatting("b", TagKind::StartTag));
    /// assert!(!tree.is_spent());
    /// (0..1000).for_each(|_| tree.count_formatting("b", TagKind::StartTag));
    /// assert!(tree.is_spent());
    /// ```
    pub const fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns the number of templates that became shadow roots, whose content browsers show and load.
    ///
    /// ```
    /// assert_eq!(absolve_links::Budgeted::new(0).shadow_roots(), 0);
    /// ```
    pub fn shadow_roots(&self) -> usize {
        self.hosts.borrow().len()
    }

    /// Counts the cost of a tag, if it is that of a formatting element: html5ever compares each with all open ones without a call
    /// into the tree. At most three with the same attributes stay open.
    ///
    /// ```
    /// let tree = absolve_links::Budgeted::new(0);
    /// tree.count_formatting("font", html5ever::tokenizer::TagKind::EndTag);
    /// assert!(!tree.is_spent());
    /// ```
    pub fn count_formatting(&self, element: &str, kind: TagKind) {
        let open = self.formatting.get();
        match kind {
            _ if !is_formatting(element) => {}
            TagKind::StartTag => {
                self.spend(open * TREE_CALLS_PER_COMPARISON);
                self.formatting.set(open + 1);
            }
            TagKind::EndTag => self.formatting.set(open.saturating_sub(1)),
        }
    }

    fn spend(&self, work: usize) {
        self.left.set(self.left.get().saturating_sub(work));
    }

    /// Counts the cost of finding a node among its siblings, which the tree searches one by one.
    fn spend_siblings(&self, node: &Handle) {
        let parent = node.parent.take();
        let siblings =
            parent.as_ref().and_then(|parent| parent.upgrade()).map_or(0, |parent| parent.children.borrow().len());
        node.parent.set(parent);
        self.spend(1 + siblings);
    }
}

/// Returns whether the attributes of an element matter to tree construction, and it is compared with other open ones.
pub(crate) fn is_formatting(element: &str) -> bool {
    matches!(
        element,
        "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike" | "strong" | "tt" | "u"
    )
}

/// The elements of HTML that may have a shadow root, next to custom ones.
const HOSTS: [&str; 18] = [
    "article",
    "aside",
    "blockquote",
    "body",
    "div",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "main",
    "nav",
    "p",
    "section",
    "span",
];

impl fmt::Debug for Budgeted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Budgeted").field("left", &self.left).finish_non_exhaustive()
    }
}

impl TreeSink for Budgeted {
    type Handle = Handle;
    type Output = ();
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) {}

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.tree.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.spend(1);
        self.tree.elem_name(target)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Handle {
        self.spend(8);
        self.tree.create_element(name, attributes, flags)
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.tree.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.tree.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.spend(1);
        self.tree.append(parent, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        self.spend_siblings(element);
        self.tree.append_based_on_parent_node(element, previous, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public_id: StrTendril, system_id: StrTendril) {
        self.tree.append_doctype_to_document(name, public_id, system_id);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.tree.get_template_contents(target)
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        self.spend(1);
        self.tree.same_node(one, other)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.tree.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        self.spend_siblings(sibling);
        self.tree.append_before_sibling(sibling, child);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attributes: Vec<Attribute>) {
        self.tree.add_attrs_if_missing(target, attributes);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.spend_siblings(target);
        self.tree.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.spend(1 + node.children.borrow().len());
        self.tree.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.spend(1);
        self.tree.is_mathml_annotation_xml_integration_point(target)
    }

    /// Attaches a shadow root to an element that may have one, and has none (DOM Standard, "attach a shadow root").
    fn attach_declarative_shadow(&self, host: &Handle, _template: &Handle, _attributes: &[Attribute]) -> bool {
        let NodeData::Element { name, .. } = &host.data else { return false };
        let may_host = name.ns == ns!(html) && (name.local.contains('-') || HOSTS.contains(&&*name.local));
        may_host && self.hosts.borrow_mut().insert(Rc::as_ptr(host))
    }
}
