import { expect } from 'chai';
import { badRequest } from '../../pkg/kube/status/errors.js';
import { missingActions, missingPermissionsMessage, neededPermissions, permissionDenied } from './denied.js';
import { HALL, TOY } from './testing/boxes.js';

const user = { name: 'ann', uid: 'anns', groups: [], extra: {} };
const asked = { user, verb: 'update', kind: TOY, namespace: 'default', name: 'bear' };
const TEXT = 'User "ann" cannot update resource';

describe('403', () => {
  it('names who cannot do what, where, and the permission that it takes', () => {
    const error = permissionDenied(asked, ['toys:write']);
    expect(error.message).to.contain(`toys.box.svc.app "bear" is forbidden: ${TEXT} "toys"`);
    expect(error.message).to.match(/in the namespace "default": it takes the permission toys:write$/);
    expect(error.details).to.deep.include({ name: 'bear', group: 'box.svc.app', kind: 'toys' });
    const sealed = permissionDenied({ ...asked, subresource: 'seal' }, ['a:b', 'c:d']).message;
    expect(sealed)
      .to.contain(`${TEXT} "toys/seal"`)
      .and.match(/: it takes the permissions a:b and c:d$/);
  });

  it('names the cluster scope, and no permission if none allows it', () => {
    const error = permissionDenied({ ...asked, kind: HALL, namespace: '' }, []);
    expect(error.message).to.match(/in API group "box.svc.app" at the cluster scope$/);
    expect(error.details).not.to.have.property('causes');
    expect([missingActions(error), neededPermissions(['a:b'])]).to.deep.equal([[], 'it takes the permission a:b']);
  });

  it('tells the legacy API the missing actions', () => {
    expect(missingActions(permissionDenied(asked, ['a:b', 'c:d']))).to.deep.equal(['a:b', 'c:d']);
    for (const other of [new Error('x'), undefined, badRequest('x')]) expect(missingActions(other)).to.deep.equal([]);
    const message = "You'll need additional permissions to perform this action.";
    expect(missingPermissionsMessage([])).to.equal(message);
    expect(missingPermissionsMessage(['a:b', 'c:d'])).to.equal(`${message} Permissions needed: a:b, c:d`);
  });
});
