import { type CelType, DYN, sameType } from './type.js';

/** What the type parameters of an expression stand for. A failed attempt is undone, so that no copies are needed. */
export interface Substitutions {
  readonly bound: Map<string, CelType>;
  readonly changes: { readonly name: string; readonly before: CelType | undefined }[];
  next: number;
}

export function newSubstitutions(): Substitutions {
  return { bound: new Map(), changes: [], next: 0 };
}

/** A type that is not known yet. */
export function freshType(s: Substitutions): CelType {
  return { kind: 'param', name: `_var${s.next++}`, params: [] };
}

/** Whether values of `from` may be used as `to`. Binds type parameters if so. */
export function isAssignable(s: Substitutions, from: CelType, to: CelType): boolean {
  return attempt(s, () => assign(s, from, to));
}

/** The same for several at once. */
export function areAssignable(s: Substitutions, from: readonly CelType[], to: readonly CelType[]): boolean {
  return from.length === to.length && attempt(s, () => assignAll(s, from, to));
}

function attempt(s: Substitutions, check: () => boolean): boolean {
  const start = s.changes.length;
  const isFine = check();
  while (!isFine && s.changes.length > start) {
    const change = s.changes.pop();
    if (change?.before === undefined) s.bound.delete(change?.name ?? '');
    else s.bound.set(change.name, change.before);
  }
  return isFine;
}

function bind(s: Substitutions, { name }: CelType, type: CelType): void {
  s.changes.push({ name, before: s.bound.get(name) });
  s.bound.set(name, type);
}

function assignAll(s: Substitutions, from: readonly CelType[], to: readonly CelType[]): boolean {
  return from.length === to.length && from.every((type, i) => assign(s, type, to[i] as CelType));
}

function assign(s: Substitutions, from: CelType, to: CelType): boolean {
  if (to.kind === 'param') {
    const substituted = substitutes(s, from, to);
    if (substituted.isValid) return true;
    if (substituted.isBound) return false;
  }
  if (from.kind === 'param') return substitutes(s, to, from).isValid;
  if (isDynOrError(from) || isDynOrError(to)) return true;
  if (from.kind === 'null') return isNullable(to);
  if (to.kind === 'null') return isNullable(from);
  if (from.kind !== to.kind) return false;
  if (from.kind === 'type') return true;
  if (from.kind === 'struct') return from.name === to.name;
  return from.name === to.name && assignAll(s, from.params, to.params);
}

export function isDynOrError({ kind }: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}

function isNullable({ kind }: CelType): boolean {
  return kind === 'null' || kind === 'opaque' || kind === 'struct' || kind === 'duration' || kind === 'timestamp';
}

/** Whether the parameter can stand for the type. */
function substitutes(
  s: Substitutions,
  type: CelType,
  param: CelType,
): { readonly isValid: boolean; readonly isBound: boolean } {
  if (sameType(type, param)) return { isValid: true, isBound: true };
  const known = s.bound.get(param.name);
  if (known === undefined) {
    const isValid = !occurs(s, param, type);
    if (isValid) bind(s, param, type);
    return { isValid, isBound: false };
  }
  if (sameType(type, known)) return { isValid: true, isBound: true };
  if (!assign(s, type, known)) return { isValid: false, isBound: true };
  const general = moreGeneral(type, known);
  if (!occurs(s, param, general)) bind(s, param, general);
  return { isValid: true, isBound: true };
}

function occurs(s: Substitutions, param: CelType, within: CelType): boolean {
  if (sameType(param, within)) return true;
  if (within.kind === 'param') {
    const known = s.bound.get(within.name);
    return known !== undefined && occurs(s, param, known);
  }
  return within.params.some((inner) => occurs(s, param, inner));
}

/** The more general of two types that go together. */
export function moreGeneral(a: CelType, b: CelType): CelType {
  return saysNoMore(a, b) ? a : b;
}

function saysNoMore(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.params.length === 0) return sameType(a, b);
  return a.name === b.name && a.params.every((param, i) => saysNoMore(param, b.params[i] as CelType));
}

/** Replaces the parameters of the type by what they stand for. With `isFinal`, unknown ones become dyn. */
export function substituted(s: Substitutions, type: CelType, isFinal: boolean): CelType {
  if (type.kind === 'param') {
    const known = s.bound.get(type.name);
    if (known !== undefined) return substituted(s, known, isFinal);
    return isFinal ? DYN : type;
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((param) => substituted(s, param, isFinal)) };
}

/** The type with other names for its parameters. */
export function renamed(type: CelType, names: ReadonlyMap<string, CelType>): CelType {
  if (type.kind === 'param') return names.get(type.name) ?? type;
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((param) => renamed(param, names)) };
}
