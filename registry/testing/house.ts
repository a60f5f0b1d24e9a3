import { z } from 'zod';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { Client } from '../client/client.js';
import { kubernetesConventions } from '../kinds/conventions.js';
import type { KindIdentity } from '../kinds/definition/identity.js';
import { defineKind, type Kind, type KindDefinition, type Permissions } from '../kinds/kind.js';
import { type Received, ROOT, type Served } from './served.js';

interface Definition<Spec> extends Omit<KindDefinition<Spec>, 'identity' | 'access'> {
  readonly identity: Omit<KindIdentity<Spec>, 'group' | 'version' | 'description' | 'kind'>;
}

export function kindOf<Spec>(kind: string, definition: Definition<Spec>): Kind<Spec> {
  const { resource } = definition.identity;
  const action = (verb: string): readonly string[] => [`${resource}:${verb}`];
  const permissions: Permissions = {
    get: action('read'),
    create: action('create'),
    update: action('write'),
    delete: action('delete'),
    scopes: ({ metadata }) => [`${resource}:uid:${metadata.name}`],
  };
  const identity = { group: 'house', version: 'v1', description: 'A kind of a test.', kind, ...definition.identity };
  return defineKind({ domain: 'svc.app' }, { ...definition, identity, access: { permissions } });
}

const Watts = z.int().min(0).max(100);

export interface LampSpec {
  readonly watts: number;
  readonly colour?: string | undefined;
  readonly shades?: readonly { readonly cloth: string }[] | undefined;
}

/** The namespaces. */
export const ROOM = kindOf('Room', {
  identity: { resource: 'rooms', singular: 'room', scope: 'Cluster' },
  storage: { isNamespace: true },
});

/** A lamp hangs in a box, if its annotation says so. */
export const LAMP = kindOf<LampSpec>('Lamp', {
  identity: {
    resource: 'lamps',
    singular: 'lamp',
    scope: 'Namespaced',
    spec: z.strictObject({
      watts: Watts,
      colour: z.string().max(20).optional(),
      shades: z
        .array(z.strictObject({ cloth: z.string() }))
        .max(20)
        .optional(),
    }),
    status: z.strictObject({ isLit: z.boolean() }),
  },
  storage: {
    indexers: {
      byWatts: ({ metadata: { namespace = '' }, spec }) => [[namespace, (spec as LampSpec).watts]],
      byLight: ({ spec }) => [[(spec as LampSpec).watts > 50 ? 'bright' : 'dim']],
    },
    containment: {
      resource: 'chests.house.svc.app',
      container: ({ metadata }) => metadata.annotations?.['in'],
      field: 'metadata.annotations[in]',
      root: 'floor',
    },
  },
  serving: {
    selectableFields: { 'spec.colour': ({ spec }) => (spec as LampSpec).colour ?? '' },
    searchText: ({ spec }) => (spec as LampSpec).colour ?? '',
  },
});

/** A lamp can be put into a chest. */
export const CHEST = kindOf('Chest', {
  identity: { resource: 'chests', singular: 'chest', scope: 'Namespaced' },
});

export interface LeafSpec {
  readonly tree: string;
  readonly size: number;
}

const leafOf = (object: KubeObject): LeafSpec => object.spec as LeafSpec;

/** A leaf that names a chest as its home is gone with it. */
export const LEAF = kindOf<LeafSpec>('Leaf', {
  identity: {
    resource: 'leaves',
    singular: 'leaf',
    scope: 'Namespaced',
    spec: z.strictObject({ tree: z.string(), size: z.int() }),
  },
  storage: {
    internalId: true,
    indexers: { byTree: (leaf) => [[leafOf(leaf).tree, leafOf(leaf).size]] },
    dependsOn: {
      resource: 'chests.house.svc.app',
      owner: ({ metadata: { annotations } }) => {
        const [name, uid] = (annotations?.['home'] ?? '').split(' ');
        return name === undefined || uid === undefined ? undefined : { name, uid };
      },
    },
  },
});

interface LightSpec {
  readonly power: number;
}

/** A lamp in other words. */
export const LIGHT = kindOf<LightSpec>('Light', {
  identity: {
    resource: 'lights',
    singular: 'light',
    scope: 'Namespaced',
    spec: z.strictObject({ power: Watts }),
  },
  serving: {
    selectableFields: { 'spec.power': ({ spec }) => String((spec as LightSpec).power) },
  },
  versions: {
    conversion: {
      storageKind: LAMP.qualified,
      convert: ({ metadata, spec }) => ({
        apiVersion: LAMP.apiVersion,
        kind: 'Light',
        metadata,
        spec: { power: (spec as LampSpec).watts },
      }),
      restore: ({ metadata, spec }) => ({
        apiVersion: LAMP.apiVersion,
        kind: 'Lamp',
        metadata,
        spec: { watts: (spec as LightSpec).power },
      }),
    },
  },
});

/**
 * A kind as Kubernetes has some: without a spec, and with patches of Go's clients. A deletion answers with the memo.
 */
export const MEMO = kindOf('Memo', {
  identity: {
    resource: 'memos',
    singular: 'memo',
    scope: 'Namespaced',
    members: z.object({ text: z.string().optional(), more: z.looseObject({}).optional() }),
  },
  serving: {
    acceptsStrategicMerge: true,
    conventions: { ...kubernetesConventions, returnsDeletedObject: true },
  },
});

export const HOUSE: readonly Kind[] = [ROOM, LAMP, CHEST, LEAF, LIGHT, MEMO];

const ROOT_PATH = '/apis/house.svc.app/v1';

/** The path of an object, or of a collection, in the namespace `hall`. */
export function pathTo({ resource, scope }: Kind, name = '', namespace = 'hall'): string {
  const place = scope === 'Cluster' || namespace === '' ? '' : `/namespaces/${namespace}`;
  return `${ROOT_PATH}${place}/${resource}${name === '' ? '' : `/${name}`}`;
}

/** `spec` has the members beside the metadata, if the kind has no spec. */
export function bodyOf(kind: Kind, name: string, spec: object = {}, metadata: object = {}): object {
  const type = { apiVersion: kind.apiVersion, kind: kind.kind };
  return { ...type, metadata: { name, ...metadata }, ...(kind.spec === undefined ? spec : { spec }) };
}

/** Creates an object, by a member of system:masters. Fails if the server refuses it. */
export async function create(
  served: Served,
  kind: Kind,
  name: string,
  spec: object = {},
  metadata: object = {},
  namespace = 'hall',
): Promise<Received> {
  return succeeded(
    await served.send('POST', pathTo(kind, '', namespace), { body: bodyOf(kind, name, spec, metadata) }),
  );
}

/** Creates many objects in one commit. */
export async function createMany(served: Served, kind: Kind, names: readonly string[], spec: object): Promise<void> {
  await new Client(served.registry, { user: ROOT }).transact((transaction) => {
    const objects = transaction.objects(kind, 'hall');
    for (const name of names) objects.create({ metadata: { name }, spec });
  });
}

export function succeeded(answer: Received): Received {
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
