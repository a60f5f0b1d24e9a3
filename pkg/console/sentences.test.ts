import { expect } from 'chai';
import { forbidden } from '../kube/status/errors.js';
import { refusalSentence } from './client/lib/sentences.js';

const FOLDERS = { group: 'folder.svc.app', resource: 'folders' };
const said = (detail: string, name = 'folder-jsjwx', gr = FOLDERS): string =>
  refusalSentence(forbidden(gr, name, detail).message);

describe('a refusal of the resource API in the console', () => {
  it('says what the person may not do, without names of the API', () => {
    const where = 'in API group "folder.svc.app" in the namespace "default": it takes the permission folders:create';
    expect(said(`User "lynn" cannot create resource "folders" ${where}`)).to.equal(
      'You may not create folders here. An administrator can give you the right.',
    );
    expect(said(`User "a\\"b" cannot patch resource "folders" ${where}`)).to.match(
      /^You may not change folders here\./,
    );
    expect(said(`User "lynn" cannot create resource "folders/restore" ${where}`)).to.match(
      /^You may not restore folders/,
    );
    expect(said('User "vera" cannot see who has access to "01ab": it takes the permission x', '')).to.equal(
      'You may not see who has access here. An administrator can give you the right.',
    );
    expect(said('User "vera" may not ask what others may do', '')).to.match(/^You may not ask what others may do\. An/);
  });

  it('says why a move is refused that would give the caller rights', () => {
    const what = 'User "edith" cannot move resource "folders" in API group "folder.svc.app" in the namespace "default"';
    expect(
      said(`${what}: they have more permissions in the destination than on it: folders.permissions:write`),
    ).to.equal(
      'You may do more in that folder than you may here, so the move would give you rights. ' +
        'Ask who administers it to move it.',
    );
  });

  it('keeps why something is refused that no right allows, and all other messages', () => {
    expect(said('this organization may not be deleted', 'default')).to.equal('This organization may not be deleted.');
    for (const text of ['Folder not found', 'spec.title: it is forbidden: by law', ''])
      expect(refusalSentence(text)).to.equal(text);
  });
});
