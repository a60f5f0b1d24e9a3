import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import { ADMIN } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { account, addFolder, addPeople, addPerson, bind, FOLDERS, folderBody, HERE, person, unbind } from './people.js';

const GRANT = 'svc.app/grant-permissions';
const MERGE = { 'content-type': 'application/merge-patch+json' };

oneStore('the creator of a folder', (server) => {
  before(async () => {
    await addPeople(server());
    await addPerson(server(), 'emil', 'Editor');
    const body = { spec: { role: 'Editor' } };
    await server().call('PATCH', `${HERE}/serviceaccounts/robot`, { body, headers: MERGE });
  });

  const legacy = (user: UserInfo, uid: string, parentUid?: string): Promise<Answer> =>
    server().call('POST', '/api/folders', {
      user: { ...user, extra: { 'svc.app/organization': ['default'] } },
      body: { uid, title: uid, ...(parentUid && { parentUid }) },
    });

  const resource = (user: UserInfo, name: string, parent?: string, query = '', grant = 'default'): Promise<Answer> => {
    const body = folderBody(name, parent) as Body;
    const annotations = { ...body.metadata.annotations, [GRANT]: grant };
    return server().call('POST', `${FOLDERS}${query}`, {
      user,
      body: { ...body, metadata: { ...body.metadata, annotations } },
    });
  };

  const made = async (answer: Promise<Answer>): Promise<void> => {
    const { status, text } = await answer;
    expect(status, text).to.be.oneOf([200, 201]);
  };

  /** The subject and the role of each binding on a folder. */
  const grantsOn = async (folder: string): Promise<readonly string[]> => {
    const query = { fieldSelector: `spec.scope.folder=${folder}` };
    const { items } = (await server().call('GET', `${HERE}/rolebindings`, { query })).json();
    return items.map(({ spec }) => {
      const { subject, roleRef } = spec as Record<string, { kind: string; name: string }>;
      return `${subject?.kind}/${subject?.name} ${roleRef?.name}`;
    });
  };

  const share = async (folder: string, user: UserInfo): Promise<number> => {
    const spec = {
      subject: { kind: 'User', name: 'norm' },
      roleRef: { kind: 'BuiltIn', name: 'View' },
      scope: { folder },
    };
    const metadata = { name: `${folder}-${user.uid}` };
    const body = { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding', metadata, spec };
    return (await server().call('POST', `${HERE}/rolebindings`, { user, body })).status;
  };

  const APIS = { legacy, resource } as const;

  for (const [api, create] of Object.entries(APIS)) {
    describe(`through the ${api} API`, () => {
      it('administers it from the same commit on', async () => {
        const before = await server().end();
        await made(create(person('edith'), `${api}-own`));
        expect(await server().end(), 'the folder and its binding').to.equal(before + 2);
        expect(await grantsOn(`${api}-own`)).to.deep.equal(['User/edith Admin']);
        expect(await share(`${api}-own`, person('edith'))).to.equal(201);
        expect(await share(`${api}-own`, person('emil')), 'another editor').to.equal(403);
      });

      it('administers it if the creator is a service account', async () => {
        await made(create(account('robot'), `${api}-robot`));
        expect(await grantsOn(`${api}-robot`)).to.deep.equal(['ServiceAccount/robot Admin']);
        expect(await share(`${api}-robot`, account('robot'))).to.equal(201);
      });

      it('gets no permission if the folder has a parent, because the administrators of the parent administer it', async () => {
        await addFolder(server(), `${api}-outer`);
        await made(create(person('edith'), `${api}-inner`, `${api}-outer`));
        expect(await grantsOn(`${api}-inner`)).to.deep.equal([]);
        expect(await share(`${api}-inner`, person('edith'))).to.equal(403);
      });

      it('gets a binding even if they administer all folders, because they may lose that role', async () => {
        await made(create(person('adam'), `${api}-adam`));
        expect(await grantsOn(`${api}-adam`)).to.deep.equal(['User/adam Admin']);
      });

      it('gets no permission if they are neither a user nor a service account', async () => {
        await made(create(ADMIN, `${api}-admin`));
        expect(await grantsOn(`${api}-admin`)).to.deep.equal([]);
      });

      it('loses the permission when the folder is deleted', async () => {
        const name = `${api}-again`;
        await made(create(person('edith'), name));
        expect((await server().call('DELETE', `${FOLDERS}/${name}`)).status).to.equal(200);
        await made(create(person('emil'), name));
        expect(await grantsOn(name)).to.deep.equal(['User/emil Admin']);
      });

      it('gets a binding even if a binding on another folder has its usual name', async () => {
        const name = `${api}-named`;
        await addFolder(server(), `${api}-other`);
        const binding = { subject: ['User', 'vera'], role: ['BuiltIn', 'View'], folder: `${api}-other` } as const;
        await bind(server(), `${name}.user.edith`, binding);
        await made(create(person('edith'), name));
        expect(await grantsOn(name)).to.deep.equal(['User/edith Admin']);
      });
    });
  }

  it('gets canAdmin and their permission in the answers of the legacy API', async () => {
    const { text } = await legacy(person('edith'), 'answered');
    expect(JSON.parse(text)).to.include({ canAdmin: true, hasAcl: true });
    const user = { ...person('edith'), extra: { 'svc.app/organization': ['default'] } };
    const permissions = await server().call('GET', '/api/folders/answered/permissions', { user });
    expect(JSON.parse(permissions.text)).to.have.nested.property('[0].permissionName', 'Admin');
  });

  it('loses the permission when they leave the organization', async () => {
    await addPerson(server(), 'gone', 'Editor');
    await made(legacy(person('gone'), 'left-behind'));
    await unbind(server(), 'gone', 'organizationbindings');
    expect(await grantsOn('left-behind')).to.deep.equal([]);
  });

  describe('through the resource API', () => {
    it('gets no permission without the annotation', async () => {
      await made(server().call('POST', FOLDERS, { user: person('edith'), body: folderBody('unasked') }));
      expect(await grantsOn('unasked')).to.deep.equal([]);
    });

    it('sets an annotation that is not stored, and has no effect on an existing folder', async () => {
      const answer = await resource(person('edith'), 'asked');
      expect(answer.json().metadata.annotations).to.not.have.property(GRANT);
      expect(answer.headers).to.not.have.property('warning');
      await made(server().call('POST', FOLDERS, { user: person('edith'), body: folderBody('late') }));
      const before = await server().end();
      const late = await server().call('PATCH', `${FOLDERS}/late`, {
        user: person('edith'),
        body: { metadata: { annotations: { [GRANT]: 'default' } } },
        headers: MERGE,
      });
      expect(late.status, late.text).to.equal(200);
      expect(await server().end(), 'nothing was written').to.equal(before);
    });

    it('is refused if the annotation has another value', async () => {
      const { status, json } = await resource(person('edith'), 'else', undefined, '', 'everything');
      expect(status).to.equal(400);
      expect(json().details.causes?.[0]).to.include({ field: `metadata.annotations[${GRANT}]` });
    });

    it('writes nothing in a dry run', async () => {
      const before = await server().end();
      await made(resource(person('edith'), 'dry', undefined, '?dryRun=All'));
      expect(await server().end()).to.equal(before);
    });
  });
});
