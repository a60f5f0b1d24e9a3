import { expired } from '../../pkg/kube/status/errors.js';
import { partsOf } from '../../storage/key.js';
import type { Entry } from '../../storage/state/entry.js';
import type { Reader } from '../read/reader.js';
import type { Coverage } from './coverage.js';
import { CHANGED, type Followed } from './follower.js';
import type { ScopeHierarchy } from './scope-hierarchy.js';
import { type Places, waits } from './waiting.js';

type Check = Followed['check'];

/**
 * The containers of the objects, the objects that they are about, and the containers of these. `coverages` are those of
 * a filter.
 */
export function followed(
  hierarchy: ScopeHierarchy,
  coverages: readonly Coverage[] | undefined,
  reader: Reader,
): readonly Followed[] {
  const { container, about } = hierarchy;
  const ofContainers = [readinessCheck({ container, about: undefined }, reader), containerCheck(coverages)];
  const containers = container ? [{ resource: container.qualified, check: each(ofContainers) }] : [];
  if (about === undefined) return containers;
  const inner = coverages?.flatMap((coverage) => coverage.about ?? []);
  const ofSubjects = [readinessCheck(about, reader), subjectCheck(inner)];
  const subjects = { resource: about.kind.qualified, check: each(ofSubjects) };
  return [...containers, subjects, ...followed(about, inner, reader)];
}

const each = (checks: readonly Check[]): Check => {
  return (event) => {
    for (const check of checks) check(event);
  };
};

/** The caller gains or loses a container if it is moved to another one, or if it is restricted. */
function containerCheck(coverages: readonly Coverage[] | undefined): Check {
  return ({ key, previous, current }) => {
    const { name } = partsOf(key);
    if (coverages === undefined) return refuseChange(previous, current);
    for (const coverage of coverages) {
      const was = previous === undefined ? coverage.reachIn(name) : coverage.wouldReach(name, previous.attributes);
      const is = current === undefined ? was : coverage.wouldReach(name, current.attributes);
      if (was !== is) throw expired(CHANGED);
      coverage.reachIn(name);
    }
  };
}

/**
 * The caller gains or loses what is about an object if the object is moved to another container, or if it is
 * restricted.
 */
function subjectCheck(coverages: readonly Coverage[] | undefined): Check {
  return ({ previous, current }) => {
    if (coverages === undefined) return refuseChange(previous, current);
    if (previous === undefined || current === undefined) return;
    if (coverages.some((coverage) => coverage.has(previous) !== coverage.has(current))) throw expired(CHANGED);
  };
}

/** When a place waits no more, or is moved out of one that waits, other callers see its contents. */
function readinessCheck(places: Places, reader: Reader): Check {
  return ({ key, previous, current }) => {
    if (previous === undefined || current === undefined) return;
    const [was, is] = [previous.attributes, current.attributes];
    if (was.isWaiting === is.isWaiting && was.container === is.container && was.about === is.about) return;
    const isWaiting = waits(places, partsOf(key).namespace, reader);
    if (isWaiting(was) !== isWaiting(is)) throw expired(CHANGED);
  };
}

function refuseChange(previous: Entry | undefined, current: Entry | undefined): void {
  if (previous === undefined || current === undefined) return;
  const [before, now] = [previous.attributes, current.attributes];
  if (before.container !== now.container || before.isRestricted !== now.isRestricted) throw expired(CHANGED);
}
