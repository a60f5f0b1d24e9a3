import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { AccessEnvironment } from '../../environment.js';
import type { RoleBindingSpec } from '../rolebinding/schema.js';
import { isAt, type NamedBinding, subjectKey } from './bindings.js';
import { accessChanges, type BindingChange, type ChangeOptions, newBudget } from './changes.js';
import { rankOf } from './levels.js';
import {
  type AccessContext,
  type AccessTarget,
  isSamePlace,
  type Place,
  type Position,
  placeAt,
  placeOf,
} from './place.js';
import { accessAt, distinct } from './subjects.js';
import { changeWarnings } from './words.js';

/**
 * Warnings about a write of an object: a move, and becoming private or public, may give access and take it away. A new
 * object has what a public one has at the same place, so only a private one takes something away. Whoever makes it is
 * left out.
 */
export function* positionConsequences(
  target: AccessTarget,
  position: Position,
  old: Position | undefined,
  { reader, namespace, visible, user }: Pick<WriteContext, 'reader' | 'namespace' | 'visible' | 'user'>,
  environment: AccessEnvironment,
): Steps<readonly string[]> {
  const context: ChangeOptions = {
    reader,
    namespace,
    environment,
    visible,
    ...(old === undefined && { except: user.uid }),
  };
  const before = placeAt(target, old ?? { ...position, isPrivate: false }, context);
  const after = placeAt(target, position, context);
  if (isSamePlace(before, after)) return [];
  return changeWarnings(target, yield* accessChanges(before, after, context), context);
}

/** A binding before and after a write: one of them is absent if it is new, or deleted. */
export interface BindingWrite {
  readonly name: string;
  readonly spec: RoleBindingSpec | undefined;
  readonly old: RoleBindingSpec | undefined;
}

/** The most places that the warnings about one write look at. */
export const MOST_PLACES = 50;

/**
 * Warnings about bindings that one request makes, changes and deletes, by what all of them together change at each
 * place. It does not matter whether they are stored already.
 */
export function* bindingConsequences(
  writes: readonly BindingWrite[],
  context: AccessContext,
  visible: WriteContext['visible'],
): Steps<readonly string[]> {
  const changed = writes.filter(({ spec, old }) => !isDeepStrictEqual(spec, old));
  const targets = changed.flatMap(({ spec, old }) => [spec, old].flatMap((one) => targetsOf(one, context)));
  const places = [...new Map(targets.map((target) => [`${target.kind}/${target.name}`, target])).values()];
  const budget = newBudget();
  const warnings: string[] = [];
  for (const target of places.slice(0, MOST_PLACES)) {
    yield;
    const place = placeOf(target, context);
    const change = changeAt(place, changed, context);
    const changes = yield* accessChanges(place, place, { ...context, change, budget });
    warnings.push(...changeWarnings(target, changes, { ...context, visible }));
  }
  return [...warnings, ...omissions(places.length - MOST_PLACES)];
}

export function omissions(more: number): readonly string[] {
  return more > 0 ? [`who gains and loses access to ${more} more places is not said: there are too many`] : [];
}

/** What the bindings change at a place. Whose bindings elsewhere change is said there. */
function changeAt(place: Place, writes: readonly BindingWrite[], context: AccessContext): BindingChange {
  const isOn = (one: RoleBindingSpec | undefined): boolean =>
    targetsOf(one, context).some(({ kind, name }) => kind === place.target.kind && name === place.target.name);
  const here = writes.filter(({ spec, old }) => [spec, old].some((one) => one !== undefined && isAt(one, place)));
  const own = here.filter(({ spec, old }) => isOn(spec) || isOn(old));
  const names = new Set(here.map(({ name }) => name));
  const named = (which: 'spec' | 'old'): readonly NamedBinding[] =>
    here.flatMap(({ name, [which]: spec }) => (spec === undefined ? [] : [{ name, spec }]));
  return {
    subjects: distinct(own.flatMap(({ spec, old }) => [old, spec].flatMap((one) => one?.subject ?? []))),
    before: { names, bindings: named('old') },
    after: { names, bindings: named('spec') },
  };
}

/** What a binding is on. One without a scope is on the organization. */
export function targetsOf(
  spec: RoleBindingSpec | undefined,
  { namespace }: Pick<AccessContext, 'namespace'>,
): readonly AccessTarget[] {
  if (spec === undefined) return [];
  const { folder, dashboard, serviceAccount } = spec.scope ?? {};
  if (folder !== undefined) return [{ kind: 'Folder', name: folder }];
  if (serviceAccount !== undefined) return [{ kind: 'ServiceAccount', name: serviceAccount }];
  if (dashboard !== undefined) return [{ kind: 'Dashboard', name: dashboard }];
  return [{ kind: 'Organization', name: namespace }];
}

/** The most subjects that a description names. */
const MOST_DESCRIBED = 20;

/** Names each subject with what it has at a place: `Team/dev (Edit), BasicRole/Viewer (View)`. */
export function describedAccess(target: AccessTarget, context: AccessContext): readonly string[] {
  const { subjects, partsOf, rules } = accessAt(placeOf(target, context), context);
  const all = subjects()
    .filter((subject) => subjectKey(subject) !== 'BasicRole/Admin')
    .map((subject) => ({ subject, level: rules.levelOf(partsOf(subject)) }))
    .filter(({ level }) => level !== '')
    .sort((a, b) => rankOf(b.level) - rankOf(a.level))
    .map(({ subject, level }) => `${subjectKey(subject)} (${level})`);
  const more = all.length - MOST_DESCRIBED;
  return more > 0 ? [...all.slice(0, MOST_DESCRIBED), `and ${more} more`] : all;
}
