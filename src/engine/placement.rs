//! Layouts of the operands and the result of a prepared expression.

mod placed;

use limbforge_limb::Layout;

#[cfg(feature = "gpu")]
pub(super) use self::placed::Operand;
pub(super) use self::placed::{Integers, Placed};

/// The layouts of an expression's operands and of its result, and the operands that are one integer for all
/// instances.
///
/// ```
/// use limbforge::prelude::*;
///
/// // b lies limb by limb, m is one modulus for all, everything else lies instance by instance.
/// let placement = Placement::new(Layout::InstanceMajor)
///     .with_layout("b", Layout::Interleaved)
///     .with_broadcast("m");
/// let mulmod = Engine::cpu().prepare::<u64>(&Expr::parse("mulmod(a, b, m)")?, "u256".parse()?, &placement)?;
/// assert_eq!(mulmod.operands().collect::<Vec<_>>(), ["a", "b", "m"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// The layout of all that is not named.
    layout: Layout,
    layouts: Vec<(String, Layout)>,
    broadcast: Vec<String>,
    result: Option<Layout>,
}

impl Placement {
    /// All operands and the result in one layout, none of them one integer for all instances.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// assert_eq!(Placement::new(Layout::InstanceMajor), Placement::default());
    /// ```
    #[must_use]
    pub const fn new(layout: Layout) -> Self {
        Self { layout, layouts: vec![], broadcast: vec![], result: None }
    }

    /// The same with another layout of one operand.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let placement = Placement::default().with_layout("a", Layout::Interleaved);
    /// let double = Engine::cpu().prepare::<u32>(&Expr::parse("a + a")?, "u96".parse()?, &placement)?;
    /// let a = Batch::zeros(double.ty(), Layout::Interleaved, 5)?;
    /// assert_eq!(double.eval(&[("a", &a)])?.instances(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_layout(mut self, operand: &str, layout: Layout) -> Self {
        self.layouts.retain(|(name, _)| name != operand);
        self.layouts.push((operand.to_owned(), layout));
        self
    }

    /// The same with one operand a batch of one integer, which is used for all instances.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let placement = Placement::default().with_broadcast("m");
    /// let rem = Engine::cpu().prepare::<u32>(&Expr::parse("a % m")?, "u64".parse()?, &placement)?;
    /// let batch = |values: &[u64]| values.iter().map(|&x| UintM::<u32, 2>::from(x)).collect::<Batch<u32>>();
    /// let found = rem.eval(&[("a", &batch(&[10, 11, 12])), ("m", &batch(&[7]))])?;
    /// assert_eq!(found, batch(&[3, 4, 5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_broadcast(mut self, operand: &str) -> Self {
        self.broadcast.push(operand.to_owned());
        self
    }

    /// The same with another layout of the result.
    ///
    /// ```
    /// use limbforge::prelude::*;
    /// let placement = Placement::default().with_result(Layout::Interleaved);
    /// let square = Engine::cpu().prepare::<u32>(&Expr::input("a").sqr(), "u96".parse()?, &placement)?;
    /// let a = Batch::zeros(square.ty(), Layout::InstanceMajor, 5)?;
    /// assert_eq!(square.eval(&[("a", &a)])?.layout(), Layout::Interleaved);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_result(mut self, layout: Layout) -> Self {
        self.result = Some(layout);
        self
    }
}
