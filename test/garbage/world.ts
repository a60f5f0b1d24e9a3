import { expect } from 'chai';
import type { OwnerReference } from '../../pkg/kube/meta/types.js';
import { addFolder, addTeam, FOLDERS, HERE } from '../access/people.js';
import type { Body } from '../harness/body.js';
import { accepted, bodyOf, freshName } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { until } from '../identity/iam.js';

export const HOLD = 'example.com/hold';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const EVENTS = '/api/v1/namespaces/default/events';

/** An object, by its path. */
export interface Made {
  readonly path: string;
  /** A reference to it. */
  readonly reference: OwnerReference;
}

/** The metadata of a new object. */
export interface Start {
  readonly owners?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** Objects that own each other, and calls about them. */
export function garbageWorld(server: () => Server) {
  const merge = async (path: string, metadata: object): Promise<Body> =>
    bodyOf(await server().call('PATCH', path, { headers: MERGE, body: { metadata } }), 200);
  const read = async (path: string): Promise<Body['metadata']> =>
    bodyOf(await server().call('GET', path), 200).metadata;
  const made = (path: string, { apiVersion, kind, metadata: { name, uid = '' } }: Body): Made => ({
    path,
    reference: { apiVersion, kind, name, uid },
  });
  const begin = async (path: string, { owners = [], finalizers = [] }: Start): Promise<Made> => {
    const start = {
      ...(owners.length > 0 && { ownerReferences: owners }),
      ...(finalizers.length > 0 && { finalizers }),
    };
    return made(path, await merge(path, start));
  };
  const isThere = async (path: string): Promise<boolean> => (await server().call('GET', path)).status === 200;
  return {
    merge,
    read,
    isThere,
    folder: async (start: Start = {}): Promise<Made> => {
      const name = freshName();
      await addFolder(server(), name);
      return begin(`${FOLDERS}/${name}`, start);
    },
    team: async (start: Start = {}): Promise<Made> => {
      const name = freshName();
      await addTeam(server(), name);
      return begin(`${HERE}/teams/${name}`, start);
    },
    /** An object of a kind with many objects. */
    event: async ({ owners = [], finalizers = [] }: Start): Promise<Made> => {
      const name = freshName();
      const metadata = { name, namespace: 'default', ownerReferences: owners, finalizers };
      const event = { apiVersion: 'v1', kind: 'Event', metadata, involvedObject: {}, reason: 'Tried' };
      return made(`${EVENTS}/${name}`, bodyOf(await server().call('POST', EVENTS, { body: event }), 201));
    },
    remove: async ({ path }: Made, propagationPolicy?: string): Promise<void> => {
      const query = propagationPolicy === undefined ? {} : { propagationPolicy };
      accepted(await server().call('DELETE', path, { query }), 200);
    },
    /** Resolves when all of them are gone. */
    gone: async (...all: readonly Made[]): Promise<void> => {
      for (const { path } of all) await until(async () => !(await isThere(path)));
    },
    expectThere: async (...all: readonly Made[]): Promise<void> => {
      for (const { path } of all) expect(await isThere(path), path).to.equal(true);
    },
    /** Resolves when the object is terminating. */
    terminating: async ({ path }: Made): Promise<void> => {
      await until(async () => (await read(path)).deletionTimestamp !== undefined);
    },
  };
}

export const blocking = ({ reference }: Made): OwnerReference => ({ ...reference, blockOwnerDeletion: true });
