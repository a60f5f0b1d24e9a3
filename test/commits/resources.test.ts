import { expect } from 'chai';
import { freshName } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { type Probe, probeOf } from './probe.js';

const TEAMS = '/apis/iam.svc.app/v1beta1/namespaces/default/teams';
const FOLDERS = '/apis/folder.svc.app/v1beta1/namespaces/default/folders';
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const MERGE = { 'content-type': 'application/merge-patch+json' };

eachStore('a write of the resource API', (server) => {
  let probe: Probe;
  before(() => {
    probe = probeOf(server());
  });

  const body = (path: string, name: string, more: object = {}) => ({
    apiVersion: path === TEAMS ? 'iam.svc.app/v1beta1' : 'folder.svc.app/v1beta1',
    kind: path === TEAMS ? 'Team' : 'Folder',
    metadata: { name, ...more },
    spec: { title: name },
  });

  /** Each write of the resource API, with reserved labels and unknown fields, so that the answer has warnings. */
  const writes = (path: string, name: string): readonly (() => ReturnType<Server['call']>)[] => {
    const at = `${path}/${name}`;
    const odd = { ...body(path, name, { labels: { 'svc.app/none': 'x' } }), typo: 1 };
    const query = { fieldManager: 'me' };
    return [
      () => server().call('POST', path, { body: odd }),
      () => server().call('PUT', at, { body: { ...odd, spec: { title: `${name} 2` } } }),
      () => server().call('PATCH', at, { body: { spec: { title: `${name} 3` } }, headers: MERGE }),
      () => server().call('PATCH', at, { body: body(path, name), headers: APPLY, query: { ...query, force: true } }),
      () => server().call('DELETE', at),
      () => server().call('PATCH', at, { body: body(path, name), headers: APPLY, query }),
      () => server().call('DELETE', path, { query: { fieldSelector: `metadata.name=${name}` } }),
    ];
  };

  for (const path of [TEAMS, FOLDERS]) {
    // Promise: contract 5.7
    it(`is answered with success once it is stored, whatever fails after that: ${path}`, async () => {
      for (const [index, write] of writes(path, freshName()).entries()) {
        probe.begin({ reads: true });
        const { status, text } = await write();
        probe.end();
        expect(status, `${index}: ${text}`).to.be.below(300);
        expect(probe.commits, `${index}`).to.equal(1);
      }
    });

    // Promise: contract 5.7
    it(`stores nothing if its answer cannot be made: ${path}`, async () => {
      const kind = server().api.registry.kinds.find(({ kind: name }) => path.endsWith(`/${name.toLowerCase()}s`));
      if (kind === undefined) throw new Error(`no kind of ${path}`);
      const { strategy = {} } = kind;
      const warnings = (): never => {
        throw new Error('no warnings');
      };
      for (const [index, write] of writes(path, freshName()).slice(0, 4).entries()) {
        probe.begin();
        Object.assign(kind, { strategy: { ...strategy, warnings } });
        const refused = await write().finally(() => Object.assign(kind, { strategy }));
        probe.end();
        expect([refused.status, probe.commits], `${index}: ${refused.text}`).to.deep.equal([500, 0]);
        expect((await write()).status, `${index}`).to.be.below(300);
      }
    });
  }
});
