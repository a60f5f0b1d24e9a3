import type { Uint } from '../values/value.js';

/** The value of a literal: an int is a bigint, and a double is a number. */
export type Literal = null | boolean | bigint | number | string | Uint8Array | Uint;

interface Node {
  /** Where errors about the expression point to: an index into the source, in UTF-16 code units. */
  readonly at: number;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: Literal;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)` */
  readonly test: boolean;
}

export interface CallExpr extends Node {
  readonly kind: 'call';
  /** The name of a function or of an operator, such as `_+_`. */
  readonly name: string;
  readonly target?: Expr | undefined;
  /** `_&&_` and `_||_` have two or more. */
  readonly args: readonly Expr[];
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Whether the element is `?e`: left out if it is absent. */
  readonly optional: readonly boolean[];
}

export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

/** `a.b.Name{field: value}` */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
  readonly values: readonly Expr[];
}

/** What the macros become: a loop over a list or a map that computes one value. */
export interface FoldExpr extends Node {
  readonly kind: 'fold';
  readonly range: Expr;
  readonly variable: string;
  /** With two variables, the first is the index or the key, and the second the value. */
  readonly second?: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** A parsed expression. Macros are expanded as cel-go does it, because costs and errors depend on the result. */
export type Expr = LiteralExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | FoldExpr;

/** The expressions directly below. */
export function children(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case 'select':
      return [e.operand];
    case 'call':
      return e.target === undefined ? e.args : [e.target, ...e.args];
    case 'list':
      return e.elements;
    case 'map':
      return e.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return e.values;
    case 'fold':
      return [e.range, e.init, e.condition, e.step, e.result];
    default:
      return [];
  }
}
