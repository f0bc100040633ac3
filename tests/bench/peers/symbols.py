"""Workloads as text: their functions are called with symbols that note what is done to them, and the notes are printed
as C++, as Python, as numexpr's language. What is not element-wise is noted as the reason why it cannot be printed."""
from description import bind

ARITHMETIC = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "truediv": "{} / {}", "lt": "{} < {}",
              "le": "{} <= {}", "gt": "{} > {}", "ge": "{} >= {}", "eq": "{} == {}", "neg": "-{}"}


REDUCTIONS = ("sum", "mean")


class NotElementwise(Exception):
    pass


class Symbol:
    """An operation on others. A leaf is an input, sliced or transposed so and so."""
    __array_ufunc__ = None  # NumPy's numbers leave operators to us

    def __init__(self, operation, *operands, shape=None):
        self.operation, self.operands, self.given_shape = operation, operands, shape

    @property
    def shape(self):
        if self.given_shape is None:
            raise NotElementwise("asks for the shape of what it computed")
        return self.given_shape

    def __getitem__(self, key):
        if self.operation != "leaf":
            raise NotElementwise("slices what it computed")
        which, views = self.operands
        return leaf(which, views + (("slice", key),))


def leaf(which, views=(), shape=None):
    return Symbol("leaf", which, views, shape=shape)


def _operator(name, swapped):
    def method(self, other):
        return Symbol(name, other, self) if swapped else Symbol(name, self, other)
    return method


for _name in ARITHMETIC:
    if _name != "neg":
        setattr(Symbol, f"__{_name}__", _operator(_name, False))
        setattr(Symbol, f"__r{_name}__", _operator(_name, True))
Symbol.__neg__ = lambda self: Symbol("neg", self)


class Tracer:
    """xp of the workloads."""

    def transpose(self, x):
        if x.operation != "leaf":
            raise NotElementwise("transposes what it computed")
        which, views = x.operands
        return leaf(which, views + (("transpose", None),))

    def sum(self, x, axis=None, keepdims=False):
        return self.reduced("sum", x, axis)

    def mean(self, x, axis=None, keepdims=False):
        return self.reduced("mean", x, axis)

    def reduced(self, name, x, axis):
        if axis is not None:
            raise NotElementwise(f"has a {name} along an axis")
        return Symbol(name, x)

    def __getattr__(self, name):
        if name in ("max", "var", "argmax", "argmin", "cumsum", "roll", "arange"):
            raise NotElementwise(f"has {name}")
        return lambda *operands: Symbol(name, *operands)


class Traced:
    """The operations of a workload, operands before what is made of them. `why`: the reason why they cannot be printed.
    `reduction`: what is done to the one root at last, a sum or mean of all its elements, or nothing."""

    def __init__(self, roots, why=""):
        self.why, self.reduction = why, ""
        self.order, self.used = [], []
        if len(roots) == 1 and roots[0].operation in REDUCTIONS:
            self.reduction, roots = roots[0].operation, list(roots[0].operands)
        self.roots = roots
        known = set()
        for root in roots:
            self.visit(root, known)
        inner = [each.operation for each in self.order if each.operation in REDUCTIONS]
        if inner:
            self.why = f"has a {inner[0]} inside"
        self.distinct = {}  # an input that is sliced alike in two places is one parameter
        for each in self.used:
            self.distinct.setdefault(repr(each.operands), each.operands)

    @property
    def elementwise(self):
        if self.reduction and not self.why:
            self.why = f"has a {self.reduction}"
        return not self.why

    def visit(self, each, known):
        if not isinstance(each, Symbol) or id(each) in known:
            return
        known.add(id(each))
        if each.operation == "leaf":
            self.used.append(each)
            return
        for operand in each.operands:
            self.visit(operand, known)
        self.order.append(each)

    def casts(self):
        """The types that something is cast to."""
        return {each.operands[1] for each in self.order if each.operation == "astype"}

    def leaves(self, arrays):
        """The library's own arrays for the parameters."""
        out = []
        for which, views in self.distinct.values():
            array = arrays[which]
            for kind, key in views:
                array = array[key] if kind == "slice" else array.T
            out.append(array)
        return out

    def name_of_leaf(self, each):
        return f"a{list(self.distinct).index(repr(each.operands))}"

    def parameters(self):
        return [f"a{i}" for i in range(len(self.distinct))]


def trace(workload, inputs):
    symbols = [leaf(i, shape=tuple(each.shape)) for i, each in enumerate(inputs)]
    try:
        results = bind(workload.function, Tracer())(*symbols)
    except NotElementwise as why:
        return Traced([], str(why))
    return Traced(list(results) if isinstance(results, tuple) else [results])


def statements(traced, patterns, constant):
    """Lines 't3 = exp(t2)', each operation once, and the names of the results."""
    names, lines = {}, []
    for each in traced.used:
        names[id(each)] = traced.name_of_leaf(each)

    def text(operand):
        return names[id(operand)] if isinstance(operand, Symbol) else constant(operand)

    for i, each in enumerate(traced.order):
        pattern = patterns.get(each.operation)
        if pattern is None:
            raise NotElementwise(f"no {each.operation} there")
        names[id(each)] = f"t{i}"
        lines.append((f"t{i}", pattern.format(*map(text, each.operands))))
    return lines, [text(each) for each in traced.roots]


class Calls(dict):
    """An operation without a pattern is a call of the function of that name."""

    def __init__(self, prefix, **special):
        super().__init__(ARITHMETIC, **special)
        self.prefix = prefix

    def get(self, operation):
        return self[operation] if operation in self else f"{self.prefix}{operation}(" + "{})"


def with_arguments(patterns):
    """Of calls with two operands or three."""
    for name in ("arctan2", "maximum", "minimum", "power"):
        patterns.setdefault(name, f"{patterns.prefix}{name}({{}}, {{}})")
    patterns.setdefault("where", f"{patterns.prefix}where({{}}, {{}}, {{}})")
    patterns.setdefault("astype", "{}.astype({})")
    return patterns


def python_source(traced):
    """A function compute(a0, a1, ...) of xp."""
    lines, results = statements(traced, with_arguments(Calls("xp.")), repr)
    body = "".join(f"    {name} = {text}\n" for name, text in lines)
    return f"def compute({', '.join(traced.parameters())}):\n{body}    return {', '.join(results)}\n"


CPP = dict(ARITHMETIC, exp="exp({})", log="log({})", log1p="log1p({})", sqrt="sqrt({})", abs="fabs({})",
           tanh="tanh({})", sin="sin({})", cos="cos({})", arcsin="asin({})", arctan2="atan2({}, {})", erf="erf({})",
           ndtr="T(0.5) * erfc({} * T(-0.7071067811865476))", where="({} ? {} : {})", maximum="({0} > {1} ? {0} : {1})",
           minimum="({0} < {1} ? {0} : {1})", power="pow({}, {})", rint="rint({})", astype="T({})")


def cpp_source(traced):
    """A function template compute<T> of one element each, for jiterator."""
    lines, results = statements(traced, CPP, lambda number: f"T({number!r})")
    comparisons = {"lt", "le", "gt", "ge", "eq"}
    body = "".join(f"    {'bool' if each.operation in comparisons else 'T'} {name} = {text};\n"
                   for each, (name, text) in zip(traced.order, lines))
    parameters = ", ".join(f"T {each}" for each in traced.parameters())
    if len(results) == 1:
        return f"template <typename T> T compute({parameters}) {{\n{body}    return {results[0]};\n}}\n"
    outputs = ", ".join(f"T& o{i}" for i in range(len(results)))
    stores = "".join(f"    o{i} = {each};\n" for i, each in enumerate(results))
    return f"template <typename T> void compute({parameters}, {outputs}) {{\n{body}{stores}}}\n"


SCALAR = dict(ARITHMETIC, exp="math.exp({})", log="math.log({})", log1p="math.log1p({})", sqrt="math.sqrt({})",
              abs="abs({})", tanh="math.tanh({})", sin="math.sin({})", cos="math.cos({})", arcsin="math.asin({})",
              arctan2="math.atan2({}, {})", erf="math.erf({})", where="({1} if {0} else {2})",
              maximum="({0} if {0} > {1} else {1})", minimum="({0} if {0} < {1} else {1})", power="{} ** {}",
              real="{}.real", imag="{}.imag", ndtr="half * math.erfc({} * minus_sqrt_half)", rint="rint({})",
           astype="{1}({0})")


def scalar_source(traced, constant):
    """Statements of Python on numbers, and the names of the results."""
    return statements(traced, SCALAR, constant)


NUMEXPR = dict(ARITHMETIC, where="where({}, {}, {})", maximum="where({0} > {1}, {0}, {1})", power="{} ** {}",
               minimum="where({0} < {1}, {0}, {1})", arctan2="arctan2({}, {})", real="real({})", imag="imag({})",
               **{name: name + "({})" for name in "exp log log1p sqrt abs tanh sin cos arcsin".split()})


def numexpr_texts(traced, constant, longest=4000):
    """One expression for each root: the language has no names for parts, so what is used twice stands there twice."""
    names = {id(each): traced.name_of_leaf(each) for each in traced.used}

    def text(operand):
        return names[id(operand)] if isinstance(operand, Symbol) else constant(operand)

    for each in traced.order:
        if each.operation not in NUMEXPR:
            raise NotElementwise(f"no {each.operation} there")
        names[id(each)] = "(" + NUMEXPR[each.operation].format(*map(text, each.operands)) + ")"
        if len(names[id(each)]) > longest:
            raise NotElementwise(f"the text is longer than {longest} characters")
    return [text(each) for each in traced.roots]
