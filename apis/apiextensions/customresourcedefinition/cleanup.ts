import { MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ignoreMissing } from '../../../pkg/kube/status/errors.js';
import { type BackgroundOptions, type Job, startJobs } from '../../../registry/background/background.js';
import { Client } from '../../../registry/client/client.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import { type Registry, TERMINATING_INDEX } from '../../../registry/kinds/registry.js';
import { selectedPages } from '../../../registry/read/pages.js';
import { type Entry, placeOf } from '../../../registry/read/reader.js';
import { type DeleteOptions, NO_DELETE_OPTIONS } from '../../../registry/write/delete.js';
import { timestamp } from '../../../registry/write/metadata.js';
import { FIELDS } from '../../../registry/write/retained.js';
import type { DefinitionObject } from '../customresource/conditions.js';
import { CLEANUP_FINALIZER } from '../names.js';
import type { Ending } from './conditions.js';
import { BY_PENDING } from './names.js';
import { withEnding } from './status.js';

const CLEANER: UserInfo = { name: 'system:definition-cleaner', uid: '', groups: [MASTERS_GROUP], extra: {} };

/**
 * Deletes the objects of definitions that are being deleted, and then the definitions. Gives definitions the names that
 * have become free. Only the elected server needs to run it, but several servers may. Returns a function that stops it.
 */
export function startDefinitions(registry: Registry, options: BackgroundOptions): () => Promise<void> {
  return startJobs(registry, [definitionsJob(registry)], options);
}

/** The same as a job that does not run yet. */
export function definitionsJob(registry: Registry): Job {
  const kind = registry.compiled.get('apiextensions.k8s.io/CustomResourceDefinition');
  return {
    wokenBy: kind.qualified,
    restart: () => undefined,
    run: async (signal) => {
      const client = new Client(registry, { user: CLEANER, isTrusted: true, signal });
      for (const definition of registry.reader.range(kind.qualified, TERMINATING_INDEX, [])) {
        if (signal.aborted) return;
        await clean(client, kind, definition as DefinitionObject);
      }
      for (const { metadata } of registry.reader.range(kind.qualified, BY_PENDING, [])) {
        // An update that changes nothing decides about the names again.
        await client.update(kind, '', metadata.name, (old) => old).catch(ignoreMissing);
      }
    },
  };
}

async function clean(client: Client, kind: Kind, definition: DefinitionObject): Promise<void> {
  if (definition.metadata.finalizers?.includes(CLEANUP_FINALIZER) !== true) return;
  const { registry } = client;
  const storedNow = (): Kind | undefined =>
    registry.kinds.find(
      ({ definedBy, conversion }) => definedBy === definition.metadata.name && conversion === undefined,
    );
  if (storedNow() === undefined) return finish(client, kind, definition, { state: 'never-established' });
  await tell(client, kind, definition, { state: 'in-progress' });
  // After this update of its status, the definition may have another kind.
  const stored = storedNow();
  if (stored === undefined) return;
  await removeAll(client, stored);
  // Objects with finalizers may remain. The next look tries again.
  if (registry.reader.size(stored.qualified) > 0) return;
  await removePast(client, stored);
  await finish(client, kind, definition, { state: 'completed' });
}

/** What an object owns is deleted before it, because nobody knows its kind afterwards. */
async function removeAll(client: Client, kind: Kind): Promise<void> {
  const { reader } = client.registry;
  const isLeft = ({ attributes }: Entry): boolean => attributes.isTerminating !== true;
  for await (const page of selectedPages(reader.each(kind.qualified), isLeft))
    await Promise.all(page.map((item) => client.delete(kind, ...placeOf(item), FOREGROUND).catch(ignoreMissing)));
}

const FOREGROUND: DeleteOptions = { ...NO_DELETE_OPTIONS, propagation: 'Foreground' };

/** Deletes earlier versions and the trash, too, so that a later definition of the same name begins without them. */
async function removePast(client: Client, { qualified }: Kind): Promise<void> {
  const { reader, retained } = client.registry;
  if (retained === undefined) return;
  const isOfKind = ({ attributes }: Entry): boolean => attributes.fields?.[FIELDS.resource] === qualified;
  for await (const page of selectedPages(reader.each(retained.qualified), isOfKind))
    await Promise.all(page.map((item) => client.delete(retained, ...placeOf(item)).catch(ignoreMissing)));
}

async function tell(client: Client, kind: Kind, { metadata }: KubeObject, ending: Ending): Promise<void> {
  const change = (old: KubeObject): KubeObject => ended(client, old as DefinitionObject, ending);
  await client.update(kind, '', metadata.name, change, { name: 'status', verb: 'update' }).catch(ignoreMissing);
}

/** The objects are gone, and no new one can come, because the definition is being deleted. */
async function finish(client: Client, kind: Kind, definition: DefinitionObject, ending: Ending): Promise<void> {
  await tell(client, kind, definition, ending);
  const withoutFinalizer = (old: KubeObject): KubeObject => {
    const finalizers = (old.metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
    return { ...old, metadata: { ...old.metadata, finalizers } };
  };
  await client.update(kind, '', definition.metadata.name, withoutFinalizer).catch(ignoreMissing);
}

function ended({ registry }: Client, old: DefinitionObject, ending: Ending): KubeObject {
  return withEnding(old, ending, timestamp(registry.clock.now()));
}
