import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { AccessEnvironment } from '../../environment.js';
import type { RoleSpec } from '../role/schema.js';
import { BY_GLOBAL_ROLE, BY_ROLE, BY_SUBJECT } from '../rolebinding/schema.js';
import { subjectKey } from './bindings.js';
import { type BoundBinding, boundBindings, hiddenPlaces } from './bound.js';
import { accessChanges, newBudget } from './changes.js';
import { bindingConsequences, MOST_PLACES, omissions, targetsOf } from './consequences.js';
import { type AccessTarget, placeOf } from './place.js';
import { distinct } from './subjects.js';
import { changeWarnings } from './words.js';

interface RoleWrite {
  readonly name: string;
  /** Absent: the role is deleted, with its bindings. */
  readonly spec: RoleSpec | undefined;
  readonly old: RoleSpec;
}

/** Warnings about another content of a custom role, and about its deletion, by what changes at each place of it. */
export function* roleConsequences(
  { name, spec, old }: RoleWrite,
  ctx: WriteContext,
  environment: AccessEnvironment,
): Steps<readonly string[]> {
  if (isDeepStrictEqual(spec?.permissions, old.permissions)) return [];
  const range =
    old.global === true ? { index: BY_GLOBAL_ROLE, prefix: [name] } : { index: BY_ROLE, prefix: [ctx.namespace, name] };
  const { shown, hidden } = boundBindings(range, ctx, environment);
  const own = shown.filter(({ spec: { roleRef } }) => roleRef.kind === (old.global === true ? 'GlobalRole' : 'Role'));
  const places = new Map<
    string,
    { readonly target: AccessTarget; readonly namespace: string; readonly bindings: BoundBinding[] }
  >();
  for (const binding of own)
    for (const target of targetsOf(binding.spec, binding)) {
      const key = JSON.stringify([binding.namespace, target]);
      const place = places.get(key) ?? { target, namespace: binding.namespace, bindings: [] };
      place.bindings.push(binding);
      places.set(key, place);
    }
  const budget = newBudget();
  const warnings: string[] = [];
  const at = { namespace: ctx.namespace, name };
  const nothing = { names: new Set<string>(), bindings: [] };
  for (const { target, namespace, bindings } of [...places.values()].slice(0, MOST_PLACES)) {
    yield;
    const context = { reader: ctx.reader, namespace, environment };
    const place = placeOf(target, context);
    const change = {
      subjects: distinct(bindings.map(({ spec: { subject } }) => subject)),
      before: { ...nothing, role: { ...at, spec: old } },
      after: { ...nothing, role: { ...at, spec: spec ?? { ...old, permissions: [] } } },
    };
    const changes = yield* accessChanges(place, place, { ...context, change, budget, visible: ctx.visible });
    warnings.push(
      ...changeWarnings(target, changes, { ...context, visible: ctx.visible, role: { name, title: old.title } }, false),
    );
  }
  return [...warnings, ...omissions(places.size - MOST_PLACES), ...hiddenPlaces(hidden)];
}

/** Warnings about the deletion of a team, with its bindings. */
export function* teamConsequences(
  name: string,
  ctx: WriteContext,
  environment: AccessEnvironment,
): Steps<readonly string[]> {
  const { namespace, reader } = ctx;
  const subject = { kind: 'Team', name } as const;
  const range = { index: BY_SUBJECT, prefix: [namespace, subject.kind, name] };
  const { shown, hidden } = boundBindings(range, ctx, environment);
  const own = shown.filter(({ spec }) => subjectKey(spec.subject) === subjectKey(subject));
  const writes = own.map(({ name: binding, spec: old }) => ({ name: binding, spec: undefined, old }));
  return [
    ...(yield* bindingConsequences(writes, { reader, namespace, environment }, ctx.visible)),
    ...hiddenPlaces(hidden),
  ];
}
