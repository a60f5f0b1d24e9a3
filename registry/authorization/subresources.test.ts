import { expect } from 'chai';
import { z } from 'zod';
import { grantsOf, type Permission } from '../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { State } from '../../storage/state/state.js';
import { newAttributes } from '../kinds/authorizer.js';
import { defineKind } from '../kinds/kind.js';
import { Reader } from '../read/reader.js';
import { createAuthorizer } from './permission-authorizer.js';

/** A box lies in a box. A caller may open a box that is their own. */
const box = defineKind(
  { domain: 'svc.app' },
  {
    identity: {
      group: 'box',
      version: 'v1',
      kind: 'Box',
      resource: 'boxes',
      singular: 'box',
      scope: 'Namespaced',
      description: 'Box holds boxes.',
      spec: z.strictObject({}),
    },
    storage: {
      containment: {
        resource: 'boxes.box.svc.app',
        container: ({ metadata }) => metadata.annotations?.['in'],
        field: 'metadata.annotations[in]',
        root: 'floor',
      },
    },
    access: {
      permissions: {
        get: ['boxes:read'],
        create: ['boxes:create'],
        update: ['boxes:write'],
        delete: ['boxes:delete'],
        subresources: { seal: { create: ['boxes.seal:create'] } },
        scopes: ({ metadata }) => [`boxes:uid:${metadata.name}`],
        allowSelf: ({ metadata }, { uid }) => metadata.name === uid,
      },
    },
  },
);

const user = { name: 'ann', uid: 'anns', groups: [], extra: {} };

/** The actions that a caller with these permissions lacks for a verb on the box `a`. */
function missing(
  permissions: readonly Permission[],
  verb: string,
  subresource: string,
  name = 'a',
): readonly string[] | undefined {
  const grants = grantsOf(permissions);
  const resolved = { grants: () => grants, isMember: () => true, isCurrent: () => true };
  const authorizer = createAuthorizer([box], { resolve: () => resolved });
  const object: KubeObject = { apiVersion: box.apiVersion, kind: box.kind, metadata: { name, namespace: 'default' } };
  const attributes = { user, verb, kind: box, namespace: 'default', name, subresource };
  return authorizer.missing({ ...attributes, object: newAttributes(box, object) }, new Reader(new State(0)));
}

const onA = (action: string): readonly Permission[] => [{ action, scope: 'boxes:uid:a' }];

describe('the permission on a subresource', () => {
  it('to create is one on the object, and not on the place of a new object', () => {
    expect(missing(onA('boxes.seal:create'), 'create', 'seal')).to.deep.equal([]);
    expect(missing(onA('boxes.seal:create'), 'create', 'seal', 'b')).to.deep.equal(['boxes.seal:create']);
    expect(missing(onA('boxes:create'), 'create', '')).to.deep.equal(['boxes:create']);
    expect(missing(onA('boxes:create'), 'create', 'seal')).to.deep.equal(['boxes.seal:create']);
  });

  it('is by default that to read the object, or to update it', () => {
    expect(missing(onA('boxes:read'), 'get', 'lid')).to.deep.equal([]);
    expect(missing(onA('boxes:read'), 'get', 'seal')).to.deep.equal([]);
    for (const verb of ['create', 'update', 'patch', 'delete']) {
      expect(missing(onA('boxes:write'), verb, 'lid'), verb).to.deep.equal([]);
      expect(missing(onA('boxes:read'), verb, 'lid'), verb).to.deep.equal(['boxes:write']);
    }
  });

  it('is not needed for one’s own objects, unless the subresource has actions of its own', () => {
    for (const verb of ['get', 'create', 'delete']) expect(missing([], verb, 'lid', 'anns'), verb).to.deep.equal([]);
    expect(missing([], 'update', 'seal', 'anns')).to.deep.equal([]);
    expect(missing([], 'create', 'seal', 'anns')).to.deep.equal(['boxes.seal:create']);
  });

  it('of a verb that permissions do not know is nobody’s', () => {
    expect(missing([{ action: '*', scope: '' }], 'connect', 'lid')).to.equal(undefined);
  });
});
