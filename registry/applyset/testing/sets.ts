import type { KubeObject, ObjectMeta } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import type { Client } from '../../client/client.js';
import type { Kind } from '../../kinds/kind.js';
import { objectKey } from '../../kinds/registry.js';
import { sentObject, type World } from '../../testing/world.js';
import type { ApplySetRequest, ManifestObject } from '../manifest-object.js';
import { PART_OF, setId } from '../names.js';
import { type AppliedSpec, membersOf } from '../record.js';
import { type ApplySetStatus, statusOf } from '../status.js';

/** An object of a request: kind, name, spec and metadata. */
export type Sent = readonly [kind: Kind, name: string, spec?: object, metadata?: Partial<ObjectMeta>];

/** The names of the objects whose configurations were read. */
export const reads: string[] = [];

/** The set in which the tests apply. */
export const SET = 'fleet';

export function labelOf({ kinds }: World, set = SET): string {
  return setId(kinds.set, 'default', set);
}

function wantedOf(
  world: World,
  [kind, name, spec = {}, metadata = {}]: Sent,
  index: number,
  { set, force }: { readonly set: string; readonly force: boolean },
): ManifestObject {
  const labels = { ...metadata.labels, [PART_OF]: labelOf(world, set) };
  const object = sentObject(kind, name, spec, { ...metadata, labels });
  const namespace = kind.scope === 'Cluster' ? '' : (metadata.namespace ?? 'default');
  return {
    index,
    kind,
    requestedKind: kind,
    namespace,
    name,
    key: objectKey(kind, namespace, name),
    digest: JSON.stringify([spec, metadata]),
    configuration: () => {
      reads.push(name);
      return { object, preconditions: {}, force };
    },
  };
}

/** Applies these objects, as the field manager `me`. */
export async function applyAll(
  world: World,
  objects: readonly Sent[],
  {
    client = world.with({ fieldManager: 'me' }),
    ...rest
  }: Partial<ApplySetRequest> & { readonly client?: Client } = {},
) {
  const { name = SET, force = false } = rest;
  const wanted = objects.map((one, index) => wantedOf(world, one, index, { set: name, force }));
  const request: ApplySetRequest = {
    name,
    namespace: 'default',
    wanted,
    force,
    fieldManager: 'me',
    prune: false,
    selector: undefined,
    ...rest,
  };
  return client.applySet(request);
}

type Result = Awaited<ReturnType<typeof applyAll>>;

/** The plan in short, as `created Book a`. */
export const planOf = ({ plan }: Result): readonly string[] =>
  plan.objects.map(({ action, kind, name, message }) =>
    [action, kind, name, ...(message === undefined ? [] : [`(${message})`])].join(' '),
  );

export function setStatus({ get, kinds }: World, name = SET): ApplySetStatus | undefined {
  const object = get(kinds.set, name);
  return object && statusOf(object);
}

/** What is remembered of the members, as `Book a` or `Book a: drift`. */
export async function remembered({ all, kinds }: World): Promise<readonly string[]> {
  const records = (await all(kinds.records)) as readonly KubeObject<unknown>[];
  const members = records.flatMap(({ spec }) => membersOf(spec as AppliedSpec));
  return members
    .map(([key, { drift }]) => `${key.split('/').at(-1)}${drift === undefined ? '' : `: ${drift}`}`)
    .toSorted();
}

/** The error of what is refused. */
export async function errorOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiError) return error;
  throw error;
}
