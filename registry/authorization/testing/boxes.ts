import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { defineKind, type Kind, type Permissions } from '../../kinds/kind.js';

const noteOf =
  (key: string) =>
  ({ metadata }: KubeObject): string | undefined =>
    metadata.annotations?.[key];

const IN_A_BOX = {
  resource: 'boxes.box.svc.app',
  container: noteOf('in'),
  field: 'metadata.annotations[in]',
  root: 'floor',
};

interface More {
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly containment?: typeof IN_A_BOX | Omit<typeof IN_A_BOX, 'root'>;
  readonly permissions?: Partial<Permissions>;
}

function kindOf(
  singular: string,
  resource: string,
  { scope = 'Namespaced', containment, permissions }: More = {},
): Kind {
  const action = (verb: string): readonly string[] => [`${resource}:${verb}`];
  return defineKind(
    { domain: 'svc.app' },
    {
      identity: {
        group: 'box',
        version: 'v1',
        kind: `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`,
        resource,
        singular,
        scope,
        description: `A kind of a test.`,
        spec: z.strictObject({}),
      },
      ...(containment && { storage: { containment } }),
      access: {
        permissions: {
          get: action('read'),
          create: action('create'),
          update: action('write'),
          delete: action('delete'),
          scopes: ({ metadata }) => [`${resource}:uid:${metadata.name}`],
          ...permissions,
        },
      },
    },
  );
}

/**
 * A box lies in a box or on the floor, and a toy, too. A box may be private. A label is about a toy. A desk is its
 * owner's. A letter may be secret. A hall is of the cluster.
 */
export const BOX = kindOf('box', 'boxes', {
  containment: IN_A_BOX,
  permissions: {
    scopes: ({ metadata: { name } }) => [`boxes:uid:${name}`, `boxes:sign:${name}`],
    restriction: {
      restricts: (object) => noteOf('private')(object) !== undefined,
      actions: ['boxes.permissions:write'],
      annotation: 'private',
    },
  },
});
export const TOY = kindOf('toy', 'toys', { containment: IN_A_BOX });
export const MOVER = kindOf('cart', 'carts', { containment: IN_A_BOX, permissions: { move: ['carts:move'] } });
export const LABEL = kindOf('label', 'labels', {
  permissions: { about: { resource: 'toys.box.svc.app', name: noteOf('of') }, scopes: () => [] },
});
export const DESK = kindOf('desk', 'desks', {
  permissions: { allowSelf: ({ metadata }, { uid }, verb) => metadata.name === uid && verb !== 'delete' },
});
/**
 * A trunk takes two permissions to look into. It has a scope of its own and one of its colour, and is in a box and
 * about another one.
 */
export const TRUNK = kindOf('trunk', 'trunks', {
  containment: IN_A_BOX,
  permissions: {
    get: ['trunks:read', 'trunks:open'],
    scopes: (object) => [`trunks:uid:${object.metadata.name}`, `colours:uid:${noteOf('colour')(object) ?? 'none'}`],
    about: { resource: 'boxes.box.svc.app', name: noteOf('of') },
  },
});
const { root: _, ...IN_A_BOX_OR_NOWHERE } = IN_A_BOX;
/** A pen that is in no box is nowhere. */
export const PEN = kindOf('pen', 'pens', { containment: IN_A_BOX_OR_NOWHERE });
const SECRET = { get: ['letters:open'], create: ['letters:seal'], update: ['letters:seal'], delete: ['letters:seal'] };
export const LETTER = kindOf('letter', 'letters', {
  permissions: { actionsOf: (object) => (noteOf('secret')(object) === undefined ? undefined : SECRET) },
});
/** Like a letter, in a box. */
export const PARCEL = kindOf('parcel', 'parcels', {
  containment: IN_A_BOX,
  permissions: { actionsOf: (object) => (noteOf('secret')(object) === undefined ? undefined : SECRET) },
});
export const HALL = kindOf('hall', 'halls', { scope: 'Cluster' });
export const KINDS: readonly Kind[] = [BOX, TOY, MOVER, LABEL, TRUNK, PEN, DESK, LETTER, PARCEL, HALL];

/** The status of an object that waits for another one. */
export const WAITING = { conditions: [{ type: 'Ready', status: 'False', reason: 'ReferenceNotFound' }] };

export type Notes = Readonly<Record<string, string>>;

export function objectOf(kind: Kind, name: string, annotations: Notes = {}, namespace = 'default'): KubeObject {
  const metadata = { annotations, name, ...(kind.scope === 'Namespaced' && { namespace }) };
  return { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec: {} };
}
