import { expect } from 'chai';
import { bodyOf, expectStatus, freshName } from '../harness/resource.js';
import { eachStore } from '../harness/stores.js';

const TEAMS = '/apis/iam.svc.app/v1beta1/namespaces/default/teams';
const MERGE = { 'content-type': 'application/merge-patch+json' };

eachStore('the options of a write', (server) => {
  type Options = NonNullable<Parameters<ReturnType<typeof server>['call']>[2]>;

  const body = (name: string, metadata: object = {}) => ({
    apiVersion: 'iam.svc.app/v1beta1',
    kind: 'Team',
    metadata: { name, ...metadata },
    spec: { title: name },
  });
  const made = async () => {
    const name = freshName();
    return bodyOf(await server().call('POST', TEAMS, { body: body(name, { labels: { name } }) }), 201).metadata;
  };
  const exists = async (name: string) => (await server().call('GET', `${TEAMS}/${name}`)).status === 200;

  /** Deletions of one object: by its name, and by a collection that selects only it. */
  const deletions = (name: string, { query = {}, ...rest }: Options) => [
    () => server().call('DELETE', `${TEAMS}/${name}`, { query, ...rest }),
    () => server().call('DELETE', TEAMS, { query: { labelSelector: `name=${name}`, ...query }, ...rest }),
  ];

  // Promise: contract 5.8
  it('of a deletion may be preconditions in the query, and an empty precondition fails', async () => {
    const { name } = await made();
    for (const options of [
      { query: { uid: 'wrong' } },
      { query: { resourceVersion: '1' } },
      { query: { uid: '' } },
      { query: { resourceVersion: '' } },
      { body: { preconditions: { uid: '' } } },
      { body: { preconditions: { resourceVersion: '' } } },
      { query: { uid: 'wrong', dryRun: 'All' } },
      { query: { uid: 'wrong' }, body: { kind: 'DeleteOptions', apiVersion: 'v1' } },
    ] as const)
      for (const remove of deletions(name, options)) {
        expectStatus(await remove(), 409, 'Conflict');
        expect(await exists(name), JSON.stringify(options)).to.equal(true);
      }
  });

  // Promise: contract 5.8
  it('of a deletion that the object fulfils delete it', async () => {
    for (const index of [0, 1]) {
      const { name, uid = '', resourceVersion = '' } = await made();
      const dry = await deletions(name, { query: { uid, resourceVersion, dryRun: 'All' } })[index]?.();
      expect([dry?.status, await exists(name)]).to.deep.equal([200, true]);
      const answer = await deletions(name, { query: { uid, resourceVersion } })[index]?.();
      expect([answer?.status, await exists(name)]).to.deep.equal([200, false]);
    }
  });

  // Promise: contract 3.5, contract 5.8
  it('are refused if they are misspelt, and nothing is deleted', async () => {
    const { name } = await made();
    const key = (text: string) => `Unrecognized key: "${text}"`;
    for (const [options, message] of [
      [{ query: { dryrun: 'All' } }, 'unknown query parameter "dryrun": did you mean "dryRun"?'],
      [{ query: { UID: 'wrong' } }, 'unknown query parameter "UID": did you mean "uid"?'],
      [{ query: { labelselector: 'a=b' } }, 'unknown query parameter "labelselector": did you mean "labelSelector"?'],
      [{ body: { dryrun: ['All'] } }, `the body must be DeleteOptions: ${key('dryrun')}`],
      [{ body: { precondition: { uid: 'wrong' } } }, `the body must be DeleteOptions: ${key('precondition')}`],
      [{ body: { preconditions: { UID: 'wrong' } } }, `the body must be DeleteOptions: preconditions: ${key('UID')}`],
    ] as const)
      for (const remove of deletions(name, options)) {
        expectStatus(await remove(), 400, 'BadRequest', message);
        expect(await exists(name), JSON.stringify(options)).to.equal(true);
      }
  });

  // Promise: contract 5.8
  it('may be a version in If-Match, for a deletion and a patch as for PUT', async () => {
    const { name, resourceVersion = '' } = await made();
    const at = `${TEAMS}/${name}`;
    const tagged = (version: string, more: object = {}) => ({ headers: { 'if-match': `"${version}"`, ...more } });
    const patch = { body: { spec: { email: 'a@example.com' } } };
    expectStatus(await server().call('DELETE', at, tagged('1')), 409, 'Conflict');
    expectStatus(await server().call('PATCH', at, { ...tagged('1', MERGE), ...patch }), 409, 'Conflict');
    expectStatus(await server().call('DELETE', at, { headers: { 'if-match': 'x' } }), 400, 'BadRequest', 'If-Match');
    const both = { ...tagged(resourceVersion), query: { resourceVersion: '1' } };
    expectStatus(await server().call('DELETE', at, both), 400, 'BadRequest', 'two versions');
    expectStatus(await server().call('DELETE', TEAMS, tagged('1')), 400, 'BadRequest', 'a collection has no version');
    const apply = { ...tagged('1', { 'content-type': 'application/apply-patch+yaml' }), query: { fieldManager: 'a' } };
    expectStatus(await server().call('PATCH', at, { ...apply, body: body(name) }), 400, 'BadRequest', 'If-Match');
    const changed = await server().call('PATCH', at, { ...tagged(resourceVersion, MERGE), ...patch });
    const newest = bodyOf(changed, 200).metadata.resourceVersion ?? '';
    const answers = [tagged(resourceVersion), tagged(newest)].map((sent) => () => server().call('DELETE', at, sent));
    const statuses: number[] = [];
    for (const answer of answers) statuses.push((await answer()).status);
    expect([statuses, await exists(name)]).to.deep.equal([[409, 200], false]);
  });

  // Promise: contract 3.5
  it('that are unknown are warned of, in every answer', async () => {
    const { name } = await made();
    const query = { preconditionsUid: 'wrong' };
    const warning = ['299 - "unknown query parameter \\"preconditionsUid\\""'];
    for (const [method, at, status] of [
      ['GET', TEAMS, 200],
      ['GET', `${TEAMS}/${name}`, 200],
      ['GET', `${TEAMS}/none`, 404],
      ['DELETE', `${TEAMS}/${name}`, 200],
    ] as const) {
      const answer = await server().call(method, at, { query });
      expect([answer.status, answer.headers['warning']], `${method} ${at}`).to.deep.equal([status, warning]);
    }
  });

  // Promise: contract 3.5
  it('of discovery and of what is about the server are ignored, because client-go sends its timeout there', async () => {
    const paths = [
      '/api',
      '/apis',
      '/apis/iam.svc.app',
      '/apis/iam.svc.app/v1beta1',
      '/openapi/v3',
      '/version',
      '/livez',
    ];
    for (const path of [...paths, '/metrics']) {
      const answer = await server().call('GET', path, { query: { timeout: '32s', limit: '1', labelSelector: 'a=b' } });
      expect([answer.status, answer.headers['warning']], path).to.deep.equal([200, undefined]);
    }
  });

  // Promise: contract 5.3
  it('are refused if they are empty, and nothing is written', async () => {
    const { name } = await made();
    const [at, query, other] = [`${TEAMS}/${name}`, { dryRun: '' }, body(name)];
    const spec = { spec: { title: 'changed' } };
    const said = 'dryRun: Unsupported value: [""]: supported values: "All"';
    expectStatus(await server().call('POST', TEAMS, { body: body(freshName()), query }), 422, 'Invalid', said);
    expectStatus(await server().call('PUT', at, { body: { ...other, ...spec }, query }), 422, 'Invalid', said);
    expectStatus(await server().call('PATCH', at, { body: spec, headers: MERGE, query }), 422, 'Invalid', said);
    for (const [options, status, message] of [
      [{ query }, 422, said],
      [{ body: { dryRun: [''] } }, 422, said],
      [{ query: { propagationPolicy: '' } }, 422, 'propagationPolicy: Unsupported value: ""'],
      [{ body: { propagationPolicy: '' } }, 422, 'propagationPolicy: Unsupported value: ""'],
      [{ query: { gracePeriodSeconds: '' } }, 400, 'gracePeriodSeconds must be an integer'],
    ] as const)
      for (const remove of deletions(name, options)) {
        const answer = await remove();
        expectStatus(answer, status, status === 400 ? 'BadRequest' : 'Invalid', message);
      }
    expect(bodyOf(await server().call('GET', at), 200).spec).to.deep.include({ title: name });
  });

  // Promise: contract 5.3
  it('have a field manager of up to 128 bytes in any script', async () => {
    const create = (fieldManager: string) =>
      server().call('POST', TEAMS, { body: body(freshName()), query: { fieldManager } });
    for (const manager of ['Jürgen', '管理', 'a'.repeat(128)]) {
      const { managedFields = [] } = bodyOf(await create(manager), 201).metadata;
      expect(managedFields.map((entry) => entry.manager)).to.deep.equal([manager]);
    }
    expectStatus(await create('ü'.repeat(65)), 422, 'Invalid', 'Too long: may not be more than 128 bytes');
    expectStatus(await create('a\u0007'), 422, 'Invalid', 'should only contain printable characters');
  });

  it('are named after the verb in errors', async () => {
    const { name } = await made();
    const query = { fieldValidation: 'x' };
    const patched = await server().call('PATCH', `${TEAMS}/${name}`, { body: {}, headers: MERGE, query });
    expectStatus(patched, 422, 'Invalid', 'PatchOptions.meta.k8s.io "" is invalid: fieldValidation');
  });

  it('of reads may have any integer of 64 bits', async () => {
    const { name } = await made();
    for (const query of [{ limit: '9223372036854775807' }, { timeoutSeconds: '9999999999999999' }, { limit: '-1' }])
      expect((await server().call('GET', TEAMS, { query })).text, JSON.stringify(query)).to.include(name);
    for (const limit of ['9223372036854775808', '', 'x'])
      expectStatus(await server().call('GET', TEAMS, { query: { limit } }), 400, 'BadRequest', 'must be an integer');
  });

  // Promise: contract 6
  it('tell a client to wait for a revision that is still to come', async () => {
    const { name } = await made();
    for (const path of [TEAMS, `${TEAMS}/${name}`]) {
      const answer = await server().call('GET', path, { query: { resourceVersion: '999999999' } });
      expectStatus(answer, 504, 'Timeout');
      expect(answer.headers['retry-after']).to.equal('1');
    }
  });

  // Promise: contract 5.1
  it('make a new object from one with the version 0, and say if an old one is still being deleted', async () => {
    const name = freshName();
    const one = body(name, { resourceVersion: '0', finalizers: ['a.b/c'] });
    bodyOf(await server().call('POST', TEAMS, { body: one }), 201);
    bodyOf(await server().call('DELETE', `${TEAMS}/${name}`), 200);
    const said = `object is being deleted: teams.iam.svc.app "${name}" already exists`;
    expectStatus(await server().call('POST', TEAMS, { body: one }), 409, 'AlreadyExists', said);
  });
});
