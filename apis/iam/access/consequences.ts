import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../../../pkg/system/yielding/steps.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { AccessEnvironment } from '../../environment.js';
import type { RoleBindingSpec } from '../rolebinding/schema.js';
import { type NamedBinding, subjectKey } from './bindings.js';
import { accessChanges, type ChangeOptions } from './changes.js';
import { rankOf } from './levels.js';
import { type AccessContext, type AccessTarget, isSamePlace, type Position, placeAt, placeOf } from './place.js';
import { accessAt } from './subjects.js';
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
interface BindingWrite {
  readonly name: string;
  readonly spec: RoleBindingSpec | undefined;
  readonly old: RoleBindingSpec | undefined;
}

/** Warnings about a new binding, a change of one, or its deletion. Those without a scope are about no place. */
export function* bindingConsequences(
  { name, spec, old }: BindingWrite,
  context: AccessContext,
): Steps<readonly string[]> {
  if (isDeepStrictEqual(spec, old)) return [];
  const added: NamedBinding | undefined = spec && { name, spec };
  const subjects = [old, spec].flatMap((one) => one?.subject ?? []);
  const targets = [targetOf(spec), targetOf(old)].filter((target) => target !== undefined);
  const distinct = new Map(targets.map((target) => [`${target.kind}/${target.name}`, target]));
  const warnings: string[] = [];
  for (const target of distinct.values()) {
    const place = placeOf(target, context);
    const change = { subjects, removed: old && name, added };
    warnings.push(...changeWarnings(target, yield* accessChanges(place, place, { ...context, change }), context));
  }
  return warnings;
}

function targetOf(spec: RoleBindingSpec | undefined): AccessTarget | undefined {
  const { folder, dashboard, serviceAccount } = spec?.scope ?? {};
  if (folder !== undefined) return { kind: 'Folder', name: folder };
  if (serviceAccount !== undefined) return { kind: 'ServiceAccount', name: serviceAccount };
  return dashboard === undefined ? undefined : { kind: 'Dashboard', name: dashboard };
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
