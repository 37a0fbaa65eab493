//! Links as the edges of a graph.

mod edge;
mod graphml;
mod merged;
mod node;
mod rows;
mod webgraph;

pub use edge::{Counted, EDGE_COLUMNS, Edge, Edges, LeftOut, Sums};
pub use graphml::write_graphml;
pub use merged::{Graph, SortedEdges, write_edges};
pub use node::Nodes;
pub use rows::EdgeRows;
pub use webgraph::write_webgraph;
