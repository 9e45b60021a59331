//! A small random generator for tests that make programs.

/// Numbers that are the same for the same seed.
pub struct Random(pub u64);

impl Random {
    /// A number below the bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}
