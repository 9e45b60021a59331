//! Typed ids into vectors.

/// Declares a `u32` newtype that indexes a `Vec`.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The id at a position of its arena.
            pub fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 entries"))
            }

            /// The position in its arena.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

pub(crate) use id;
