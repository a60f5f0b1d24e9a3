import type { CallExpr, Expr, FoldExpr, IdentExpr } from './ast.js';
import { SyntaxProblem } from './source.js';

/** The name that cel-go uses. No source can contain it. */
const ACCUMULATOR = '@result';

/**
 * The expression that a call of a macro becomes. Undefined if it is not a macro. Throws SyntaxProblem if its arguments
 * are wrong.
 */
export function expanded(at: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  if (target === undefined) return name === 'has' && args.length === 1 ? presence(at, args[0] as Expr) : undefined;
  const macro = Object.hasOwn(MACROS, `${name}/${args.length}`) ? MACROS[`${name}/${args.length}`] : undefined;
  return macro?.(at, target, args);
}

type Macro = (at: number, target: Expr, args: readonly Expr[]) => Expr;

function presence(at: number, arg: Expr): Expr {
  if (arg.kind !== 'select') throw new SyntaxProblem(arg.at, 'invalid argument to has() macro');
  return { ...arg, at, test: true };
}

/** The parts of a loop that differ between the macros. `a` is the accumulator. */
interface Loop {
  readonly init: Expr;
  readonly condition?: (a: Expr) => Expr;
  readonly step: (a: Expr) => Expr;
  readonly result?: (a: Expr) => Expr;
}

function fold(at: number, range: Expr, variables: readonly string[], loop: Loop): FoldExpr {
  const a: IdentExpr = { kind: 'ident', at, name: ACCUMULATOR };
  const [variable = '', second] = variables;
  return {
    kind: 'fold',
    at,
    range,
    variable,
    second,
    accumulator: ACCUMULATOR,
    init: loop.init,
    condition: loop.condition?.(a) ?? literal(at, true),
    step: loop.step(a),
    result: loop.result?.(a) ?? a,
  };
}

function literal(at: number, value: boolean | bigint): Expr {
  return { kind: 'literal', at, value };
}

function call(at: number, name: string, ...args: readonly Expr[]): CallExpr {
  return { kind: 'call', at, name, args };
}

function method(at: number, name: string, target: Expr): CallExpr {
  return { kind: 'call', at, name, target, args: [] };
}

function list(at: number, ...elements: readonly Expr[]): Expr {
  return { kind: 'list', at, elements, optional: elements.map(() => false) };
}

function one(args: readonly Expr[]): readonly string[] {
  const arg = args[0] as Expr;
  if (arg.kind !== 'ident' || arg.name.startsWith('.'))
    throw new SyntaxProblem(arg.at, 'argument is not an identifier');
  if (arg.name === '__result__') throw new SyntaxProblem(arg.at, 'iteration variable overwrites accumulator variable');
  return [arg.name];
}

/** The variable of `all`, `exists` and `exists_one`, for which cel-go has other words. */
function single(args: readonly Expr[]): readonly string[] {
  const arg = args[0] as Expr;
  if (arg.kind !== 'ident' || arg.name.startsWith('.'))
    throw new SyntaxProblem(arg.at, 'argument must be a simple name');
  return one(args);
}

function two(args: readonly Expr[]): readonly string[] {
  const names = args.slice(0, 2).map((arg) => {
    if (arg.kind !== 'ident' || arg.name.startsWith('.'))
      throw new SyntaxProblem(arg.at, 'argument must be a simple name');
    return arg.name;
  });
  const [first, second] = args as readonly [Expr, Expr];
  if (names[0] === names[1]) throw new SyntaxProblem(second.at, `duplicate variable name: ${names[0]}`);
  for (const [i, arg] of [first, second].entries()) {
    if (names[i] === '__result__')
      throw new SyntaxProblem(arg.at, 'iteration variable overwrites accumulator variable');
  }
  return names;
}

type Variables = (args: readonly Expr[]) => readonly string[];

const all =
  (variables: Variables): Macro =>
  (at, target, args) =>
    fold(at, target, variables(args), {
      init: literal(at, true),
      condition: (a) => call(at, '@not_strictly_false', a),
      step: (a) => call(at, '_&&_', a, last(args)),
    });

const exists =
  (variables: Variables): Macro =>
  (at, target, args) =>
    fold(at, target, variables(args), {
      init: literal(at, false),
      condition: (a) => call(at, '@not_strictly_false', call(at, '!_', a)),
      step: (a) => call(at, '_||_', a, last(args)),
    });

const existsOne =
  (variables: Variables): Macro =>
  (at, target, args) =>
    fold(at, target, variables(args), {
      init: literal(at, 0n),
      step: (a) => call(at, '_?_:_', last(args), call(at, '_+_', a, literal(at, 1n)), a),
      result: (a) => call(at, '_==_', a, literal(at, 1n)),
    });

/** `add` makes the next value of the accumulator, and `filter` says when. */
function collect(at: number, filter: Expr | undefined, add: (a: Expr) => Expr): (a: Expr) => Expr {
  return (a) => (filter === undefined ? add(a) : call(at, '_?_:_', filter, add(a), a));
}

const toList =
  (variables: Variables, count: number): Macro =>
  (at, target, args) =>
    fold(at, target, variables(args), {
      init: list(at),
      step: collect(at, args.length > count + 1 ? args[count] : undefined, (a) =>
        call(at, '_+_', a, list(at, last(args))),
      ),
    });

const filter: Macro = (at, target, args) =>
  fold(at, target, one(args), {
    init: list(at),
    step: collect(at, args[1], (a) => call(at, '_+_', a, list(at, args[0] as Expr))),
  });

const toMap =
  (isEntry: boolean): Macro =>
  (at, target, args) => {
    const variables = two(args);
    const key: Expr = { kind: 'ident', at, name: variables[0] ?? '' };
    const insert = (a: Expr) => call(at, 'cel.@mapInsert', a, ...(isEntry ? [] : [key]), last(args));
    const init: Expr = { kind: 'map', at, entries: [] };
    return fold(at, target, variables, { init, step: collect(at, args.length > 3 ? args[2] : undefined, insert) });
  };

/** `body` with a name for `value`, which is computed once. */
function bound(at: number, name: string, value: Expr, body: Expr): FoldExpr {
  return {
    kind: 'fold',
    at,
    range: list(at),
    variable: '#unused',
    accumulator: name,
    init: value,
    condition: literal(at, false),
    step: { kind: 'ident', at, name },
    result: body,
  };
}

const optional =
  (macro: string, isFlat: boolean): Macro =>
  (at, target, args) => {
    const [variable, body] = args as readonly [Expr, Expr];
    if (variable.kind !== 'ident') {
      throw new SyntaxProblem(variable.at, `${macro}() variable name must be a simple identifier`);
    }
    const result = bound(at, variable.name, method(at, 'value', target), body);
    return call(
      at,
      '_?_:_',
      method(at, 'hasValue', target),
      isFlat ? result : call(at, 'optional.of', result),
      call(at, 'optional.none'),
    );
  };

const sortBy: Macro = (at, target, args) => {
  const name = '@__sortBy_input__';
  const input: Expr = { kind: 'ident', at, name };
  const keys = toList(one, 1)(at, input, args);
  const sorted: Expr = { kind: 'call', at, name: '@sortByAssociatedKeys', target: input, args: [keys] };
  return bound(at, name, target, sorted);
};

function last(args: readonly Expr[]): Expr {
  return args.at(-1) as Expr;
}

const MACROS: Readonly<Record<string, Macro>> = {
  'all/2': all(single),
  'all/3': all(two),
  'exists/2': exists(single),
  'exists/3': exists(two),
  'exists_one/2': existsOne(single),
  'exists_one/3': existsOne(two),
  'existsOne/3': existsOne(two),
  'map/2': toList(one, 1),
  'map/3': toList(one, 1),
  'filter/2': filter,
  'transformList/3': toList(two, 2),
  'transformList/4': toList(two, 2),
  'transformMap/3': toMap(false),
  'transformMap/4': toMap(false),
  'transformMapEntry/3': toMap(true),
  'transformMapEntry/4': toMap(true),
  'optMap/2': optional('optMap', false),
  'optFlatMap/2': optional('optFlatMap', true),
  'sortBy/2': sortBy,
};
