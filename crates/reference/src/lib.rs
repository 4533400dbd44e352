//! What the tests of limbforge compare with. For development alone: nothing here is published.
//!
//! | module | contents |
//! | --- | --- |
//! | [`guard`] | hashes of all rendered sources, so that a change of structure changes no kernel |

pub mod guard;
