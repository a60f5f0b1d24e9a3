import {
  ApiException,
  AuthenticationV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  PatchStrategy,
  VersionApi,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import type { ServerWithPast } from '../expired.js';
import { configOf, type Folder, folder, WHERE } from './setup.js';

const ATTRIBUTES = { group: 'folder.svc.app', resource: 'folders', verb: 'create', namespace: 'default' };

export function writing(running: () => ServerWithPast): void {
  const objects = () => KubernetesObjectApi.makeApiClient(configOf(running()));
  const apply = (object: Folder, manager: string, force = false): Promise<Folder> =>
    objects().patch(object, undefined, undefined, manager, force, PatchStrategy.ServerSideApply);

  describe('objects', () => {
    it('are created, read, replaced, listed and deleted by their kind', async () => {
      const made = await objects().create(folder('w1', 'One', { writing: 'a' }));
      const put = await objects().replace({ ...made, spec: { title: 'Two' } });
      expect(
        await objects().read<Folder>({ ...folder('w1'), metadata: { name: 'w1', namespace: 'default' } }),
      ).to.deep.equal(put);
      const selector = ['folder.svc.app/v1beta1', 'Folder', 'default'] as const;
      const { items } = await objects().list<Folder>(
        ...selector,
        undefined,
        undefined,
        undefined,
        undefined,
        'writing=a',
      );
      expect(items.map(({ spec }) => spec.title)).to.deep.equal(['Two']);
      await objects().delete(folder('w1'));
      expect(await codeOf(objects().delete(folder('w1')))).to.equal(404);
    });

    it('are applied; conflicts are 409, and force takes the fields', async () => {
      const first = await apply(folder('w2', 'One'), 'one');
      expect(first.metadata?.managedFields?.map(({ manager, operation }) => [manager, operation])).to.deep.equal([
        ['one', 'Apply'],
      ]);
      expect((await apply(folder('w2', 'One'), 'one')).metadata?.resourceVersion).to.equal(
        first.metadata?.resourceVersion,
      );
      expect(await codeOf(apply(folder('w2', 'Two'), 'two'))).to.equal(409);
      expect((await apply(folder('w2', 'Two'), 'two', true)).spec.title).to.equal('Two');
    });

    it('are patched by a JSON patch, and listed in pages', async () => {
      const custom = configOf(running()).makeApiClient(CustomObjectsApi);
      for (const name of ['w3', 'w4', 'w5']) await objects().create(folder(name, 'One', { writing: 'b' }));
      const body = [{ op: 'replace', path: '/spec/title', value: 'Two' }];
      expect((await custom.patchNamespacedCustomObject({ ...WHERE, name: 'w3', body })).spec.title).to.equal('Two');
      const query = { ...WHERE, labelSelector: 'writing=b', limit: 2 };
      const page = await custom.listNamespacedCustomObject(query);
      const rest = await custom.listNamespacedCustomObject({
        ...query,
        _continue: page.metadata._continue ?? page.metadata.continue,
      });
      expect([page.items.length, rest.items.length]).to.deep.equal([2, 1]);
    });
  });

  describe('reviews', () => {
    it('tell who the caller is, and what they may do', async () => {
      const config = configOf(running());
      const who = await config.makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} });
      expect(who.status?.userInfo?.username).to.equal('system:admin');
      const reviews = config.makeApiClient(AuthorizationV1Api);
      const body = { spec: { resourceAttributes: ATTRIBUTES } };
      expect((await reviews.createSelfSubjectAccessReview({ body })).status?.allowed).to.equal(true);
      const local = { metadata: { namespace: 'default' }, spec: { ...body.spec, user: 'nobody' } };
      const other = await reviews.createNamespacedLocalSubjectAccessReview({ namespace: 'default', body: local });
      expect(other.status?.allowed).to.equal(false);
      const rules = await reviews.createSelfSubjectRulesReview({ body: { spec: { namespace: 'default' } } });
      expect(rules.status?.resourceRules).not.to.deep.equal([]);
    });
  });

  describe('what every cluster has', () => {
    it('is there: the version, namespaces and events', async () => {
      const config = configOf(running());
      expect((await config.makeApiClient(VersionApi).getCode()).major).to.equal('1');
      const core = config.makeApiClient(CoreV1Api);
      const { items } = await core.listNamespace();
      expect(items.map(({ metadata }) => metadata?.name)).to.include('default');
      const body = { metadata: { name: 'js' }, involvedObject: { kind: 'Folder', namespace: 'default', name: 'w' } };
      await core.createNamespacedEvent({ namespace: 'default', body });
      const events = await core.listNamespacedEvent({ namespace: 'default', fieldSelector: 'involvedObject.name=w' });
      expect(events.items.map(({ metadata }) => metadata.name)).to.deep.equal(['js']);
    });
  });
}

/** The status of the answer that refuses a call. */
async function codeOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof ApiException) return error.code;
      throw error;
    },
  );
}
