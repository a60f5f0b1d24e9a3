import { expect } from 'chai';
import type { CallOptions } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { fresh, type Json } from './legacy.js';
import { peopleOf } from './people.js';

const PATH = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const PARENT = 'svc.app/folder';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

oneStore('folders through the resource API, for callers that are not Kubernetes clients', (server) => {
  const { person, robot } = peopleOf(server);
  const ask = async (status: number, method: string, path: string, body?: unknown, more: CallOptions = {}) => {
    const answer = await server().call(method, `${PATH}${path}`, { ...more, ...(body === undefined ? {} : { body }) });
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.equal(status);
    return { json: JSON.parse(answer.text) as Json, type: answer.headers['content-type'] };
  };
  const make = async (more: Json = {}, annotations = {}): Promise<string> => {
    const name = fresh('resource');
    await ask(201, 'POST', '', { metadata: { name, annotations }, spec: { title: `Title of ${name}`, ...more } });
    return name;
  };

  // Promise: specification 2.1, specification 4.1, specification 9
  it('POST P answers 201 with every field', async () => {
    const [parent, name] = [await make(), fresh('resource')];
    const body = { metadata: { name, annotations: { [PARENT]: parent } }, spec: { title: 'Whole' } };
    const { json } = await ask(201, 'POST', '', body);
    expect(json).to.include({ kind: 'Folder', apiVersion: 'folder.svc.app/v1beta1' });
    expect(json.metadata).to.include({ name, namespace: 'default' });
    expect(json.metadata.uid).to.be.a('string').that.does.not.equal(name);
    expect(json.metadata.resourceVersion).to.match(/^\d+$/);
    expect(json.metadata.creationTimestamp).to.match(TIME);
    expect(json.metadata.labels['svc.app/deprecatedInternalID']).to.match(/^\d+$/);
    expect(json.metadata.annotations[PARENT]).to.equal(parent);
    expect(json.metadata.annotations['svc.app/updatedTimestamp']).to.match(TIME);
    expect(json.spec).to.deep.equal({ title: 'Whole' });
  });

  // Promise: specification 2.1
  it('POST P names service accounts as svc.app/createdBy and updatedBy', async () => {
    const user = await robot('Editor');
    const { json } = await ask(201, 'POST', '', { metadata: { name: fresh('bot') }, spec: { title: 'x' } }, { user });
    const by = `service-account:${user.uid}`;
    expect(json.metadata.annotations).to.include({ 'svc.app/createdBy': by, 'svc.app/updatedBy': by });
  });

  // Promise: specification 2.1, specification 4.1
  it('POST P generates a name from generateName', async () => {
    const body = { metadata: { generateName: 'made-' }, spec: { title: 'x' } };
    expect((await ask(201, 'POST', '', body)).json.metadata.name).to.match(/^made-.{5}$/);
  });

  // Promise: specification 4.1, specification 7
  it('POST P refuses invalid JSON and missing or invalid fields with 400, a uid that exists with 409', async () => {
    const name = await make();
    const other = { name: fresh('refused') };
    const spec = { title: 'x' };
    const wrong: readonly Json[] = [
      '{',
      { metadata: {}, spec },
      { metadata: other },
      { metadata: other, spec: {} },
      { metadata: other, spec: { title: 1 } },
      { metadata: { name: 'a b' }, spec },
      { metadata: { name: 'x'.repeat(41) }, spec },
      { metadata: { ...other, annotations: { [PARENT]: 'nowhere' } }, spec },
    ];
    for (const body of wrong) await ask(400, 'POST', '', body);
    await ask(409, 'POST', '', { metadata: { name }, spec });
  });

  // Promise: specification 2.1, specification 4.1
  it('GET P is a FolderList in pages, and only the last page has no continue token', async () => {
    const names = [await make(), await make(), await make()];
    const found: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { json }: { json: Json } = await ask(200, 'GET', `?limit=2&continue=${encodeURIComponent(next)}`);
      expect(json).to.include({ kind: 'FolderList', apiVersion: 'folder.svc.app/v1beta1' });
      expect(json.items.length).to.be.at.most(2);
      found.push(...json.items.map(({ metadata }: Json) => metadata.name));
      next = json.metadata.continue;
    }
    expect(found).to.include.members(names);
    expect(new Set(found).size).to.equal(found.length);
  });

  // Promise: specification 4.1
  it('GET P/:uid, PUT and DELETE answer 404 for a folder that does not exist', async () => {
    await ask(404, 'GET', '/nothing-here');
    await ask(404, 'PUT', '/nothing-here', { metadata: { name: 'nothing-here' }, spec: { title: 'x' } });
    await ask(404, 'DELETE', '/nothing-here');
  });

  // Promise: specification 4.1
  it('PUT P/:uid changes the title, and moves by svc.app/folder', async () => {
    const [parent, name] = [await make(), await make()];
    const put = async (metadata: Json) =>
      (await ask(200, 'PUT', `/${name}`, { metadata: { name, ...metadata }, spec: { title: 'Changed' } })).json;
    expect((await put({})).spec.title).to.equal('Changed');
    expect((await put({ annotations: { [PARENT]: parent } })).metadata.annotations[PARENT]).to.equal(parent);
    await ask(400, 'PUT', `/${name}`, { metadata: { name }, spec: {} });
    await ask(400, 'PUT', `/${name}`, '{');
  });

  // Promise: specification 4.1, specification 7
  it('PUT P/:uid with an old version is a 412 version-mismatch', async () => {
    const name = await make();
    const { json: old } = await ask(200, 'GET', `/${name}`);
    const { resourceVersion } = old.metadata;
    await ask(200, 'PUT', `/${name}`, { metadata: { name, resourceVersion }, spec: { title: 'first' } });
    const late = { metadata: { name, resourceVersion }, spec: { title: 'second' } };
    const { json, type } = await ask(412, 'PUT', `/${name}`, late);
    expect(json).to.deep.equal({
      message: 'the folder has been changed by someone else',
      status: 'version-mismatch',
    });
    expect(type).to.equal('application/json; charset=UTF-8');
  });

  // Promise: specification 4.1
  it('DELETE P/:uid answers with the folder, and accepts forceDeleteRules', async () => {
    const name = await make();
    await ask(400, 'DELETE', `/${name}?forceDeleteRules=maybe`);
    const { json } = await ask(200, 'DELETE', `/${name}?forceDeleteRules=true`);
    expect(json).to.include({ kind: 'Folder' });
    expect(json.metadata.name).to.equal(name);
    await ask(404, 'GET', `/${name}`);
  });

  // Promise: specification 4.1
  it('all answer 401 without credentials and 403 without permission', async () => {
    const name = await make();
    const { info } = await person({ role: 'None' });
    const spec = { title: 'x' };
    const calls: readonly (readonly [string, string, Json?])[] = [
      ['GET', `/${name}`],
      ['POST', '', { metadata: { name: fresh('denied') }, spec }],
      ['PUT', `/${name}`, { metadata: { name }, spec }],
      ['DELETE', `/${name}`],
    ];
    for (const [method, path, body] of calls) {
      await ask(401, method, path, body, { user: null });
      await ask(403, method, path, body, { user: info });
    }
    await ask(401, 'GET', '', undefined, { user: null });
  });
});
