import { mutated } from '../../definitions/mutations.js';
import { Random } from '../../fieldmanager/schemas.js';
import type { Sent } from '../sequences.js';
import { changedDefinition, type Defined, isRight, randomDefinition } from './definitions.js';
import { collectionOf, randomRequest } from './requests.js';

/** A request of a sequence, and the state that must be reached after it. */
export interface Step extends Sent {
  /** The request is repeated until both servers answer the same. */
  readonly isEventual?: boolean;
  /** Waits until the table of this collection has this column. */
  readonly until?: { readonly column: string; readonly path: string };
}

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const CHANGES = 3;
const BETWEEN = 11;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/**
 * The requests of a seed: a definition, requests about its objects, changes of the definition between them, and its
 * deletion.
 */
export function stepsOf(seed: number): readonly Step[] {
  const random = new Random(seed);
  let defined = randomDefinition(random);
  const steps: Step[] = [...wrong(random, defined), created(defined), ...looks(random, defined)];
  for (let mark = 1; mark <= CHANGES; mark++) {
    for (let i = 0; i < BETWEEN; i++) steps.push(randomRequest(random, defined));
    const changed = changedDefinition(random, defined, mark);
    const isTaken = isRight(changed, defined);
    steps.push(replaced(changed, isTaken), ...reads(changed));
    if (isTaken) defined = changed;
  }
  for (let i = 0; i < BETWEEN; i++) steps.push(randomRequest(random, defined));
  return [...steps, ...reads(defined), ...looks(random, defined)];
}

const json = { 'content-type': 'application/json' };

function bodyOf({ metadata, spec }: Defined, more: object = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadata, ...more },
    spec,
  };
}

function created(defined: Defined): Step {
  return { method: 'POST', path: DEFINITIONS, headers: json, body: bodyOf(defined), until: untilServed(defined) };
}

function replaced(defined: Defined, isTaken: boolean): Step {
  const path = `${DEFINITIONS}/${defined.name}`;
  const body = { spec: defined.spec };
  const headers = { 'content-type': 'application/merge-patch+json' };
  return { method: 'PATCH', path, headers, body, ...(isTaken && { until: untilServed(defined) }) };
}

function untilServed(defined: Defined): { readonly column: string; readonly path: string } {
  const served = defined.spec.versions?.find((version) => version.served === true);
  return { column: defined.mark, path: collectionOf(defined, served?.name ?? '') };
}

/** Creates definitions that are probably wrong, as dry runs. */
function wrong(random: Random, defined: Defined): readonly Step[] {
  return [1, 2, 3].map(() => {
    const { metadata, spec } = mutated({ metadata: defined.metadata, spec: defined.spec }, random.below(2 ** 31));
    const body = bodyOf({ ...defined, metadata: { ...defined.metadata, ...metadata }, spec });
    return { method: 'POST', path: DEFINITIONS, query: { dryRun: 'All' }, headers: json, body };
  });
}

/** Reads all objects in all versions. */
function reads(defined: Defined): readonly Step[] {
  return (defined.spec.versions ?? []).flatMap(({ name = '' }, index): Step[] => {
    const path = collectionOf(defined, name);
    return [{ method: 'GET', path }, ...(index === 0 ? [{ method: 'GET', path, headers: { accept: TABLE } }] : [])];
  });
}

/** Reads the definition, and sometimes the documents that follow from it. */
function looks(random: Random, defined: Defined): readonly Step[] {
  const { group, versions } = defined.spec;
  const own: Step = { method: 'GET', path: `${DEFINITIONS}/${defined.name}`, isEventual: true };
  if (!random.chance(20)) return [own];
  const served = (versions ?? []).filter((version) => version.served === true);
  const paths = served.flatMap(({ name }) => [`/apis/${group}/${name}`, `/openapi/v3/apis/${group}/${name}`]);
  return [own, ...[`/apis/${group}`, ...paths].map((path): Step => ({ method: 'GET', path, isEventual: true }))];
}

/** Deletes the definition of a sequence, with all of its objects. */
export function endOf(steps: readonly Step[]): Step | undefined {
  const made = steps.find(
    ({ method, path, query }) => method === 'POST' && path === DEFINITIONS && query === undefined,
  );
  const { metadata } = (made?.body ?? {}) as { readonly metadata?: { readonly name: string } };
  return metadata && { method: 'DELETE', path: `${DEFINITIONS}/${metadata.name}` };
}
