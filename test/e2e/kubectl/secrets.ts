import { expect } from 'chai';
import { setting } from '../../signon/settings.js';
import type { Setup } from './setup.js';

interface Setting {
  readonly metadata: { readonly resourceVersion: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly settings: Readonly<Record<string, unknown>> };
}

const VERSION = 'svc.app/secretsVersion';
const NAME = 'gitlab-kubectl';

export function secrets(setup: Setup): void {
  describe('manages objects with secrets', () => {
    const manifest = (settings: object): string => JSON.stringify(setting(NAME, { clientId: 'client', ...settings }));
    const apply = (input: string): Promise<string> => setup.kubectl.ok(['apply', '-f', '-'], { input });
    const read = (): Promise<Setting> => setup.kubectl.json<Setting>(['get', 'sso', NAME]);

    // Promise: specification 2.9
    it('apply stores a secret once, and no copy of it can be read', async () => {
      expect(await apply(manifest({ clientSecret: 'hidden-one' }))).to.contain('created');
      const first = await read();
      await apply(manifest({ clientSecret: 'hidden-one' }));
      expect(await read()).to.deep.equal(first);
      expect(JSON.stringify(first)).to.not.contain('hidden');
      expect(first.spec.settings).to.deep.equal({ clientId: 'client', clientSecret: '*********' });
      for (const output of ['yaml', 'wide', 'name']) {
        expect(await setup.kubectl.ok(['get', 'sso', '-o', output])).to.not.contain('hidden');
      }
      expect(await setup.kubectl.ok(['describe', 'sso', NAME])).to.not.contain('hidden');
    });

    it('get -o yaml, apply and replace keep the secret', async () => {
      const input = await setup.kubectl.ok(['get', 'sso', NAME, '-o', 'yaml']);
      await apply(input);
      await setup.kubectl.ok(['replace', '-f', '-'], {
        input: await setup.kubectl.ok(['get', 'sso', NAME, '-o', 'yaml']),
      });
      await apply(manifest({ clientSecret: 'hidden-one' }));
      expect((await read()).metadata.annotations[VERSION], 'the secret never changed').to.equal('1');
    });

    it('get -w shows that only a secret has changed', async () => {
      const watch = await setup.kubectl.follow([
        'get',
        'sso',
        NAME,
        '-w',
        '-o',
        'jsonpath={.metadata.generation}{"\\n"}',
      ]);
      try {
        const { metadata } = await setup.kubectl.json<{ metadata: { generation: number } }>(['get', 'sso', NAME]);
        await watch.sees(new RegExp(`^${metadata.generation}$`));
        await apply(manifest({ clientSecret: 'hidden-two' }));
        await watch.sees(new RegExp(`^${metadata.generation + 1}$`));
      } finally {
        await watch.stop();
      }
    });

    it('apply takes a secret away that the manifest no longer has', async () => {
      await apply(manifest({}));
      expect((await read()).spec.settings).to.deep.equal({ clientId: 'client' });
      await setup.kubectl.ok(['delete', 'sso', NAME]);
    });

    it('apply takes a key of a Secret away that its stringData no longer has', async () => {
      const text = (...keys: readonly string[]): string =>
        `apiVersion: v1\nkind: Secret\nmetadata: {name: texts}\nstringData:\n${keys.map((key) => `  ${key}: x\n`).join('')}`;
      const keys = async (): Promise<readonly string[]> =>
        Object.keys((await setup.kubectl.json<{ data?: object }>(['get', 'secret', 'texts'])).data ?? {});
      await apply(text('a', 'b', 'c', 'd'));
      await apply(text('a', 'b', 'd'));
      expect(await keys()).to.deep.equal(['a', 'b', 'd']);
      await apply('apiVersion: v1\nkind: Secret\nmetadata: {name: texts}\ndata: {a: eA==, b: eA==}\n');
      expect(await keys()).to.deep.equal(['a', 'b']);
      await setup.kubectl.ok(['apply', '--server-side', '-f', '-'], { input: text('b') });
      expect(await keys()).to.deep.equal(['b']);
      await setup.kubectl.ok(['delete', 'secret', 'texts']);
    });

    it('explain describes the settings', async () => {
      const text = await setup.kubectl.ok(['explain', 'ssosetting.spec.settings']);
      expect(text)
        .to.match(/clientSecret\s+<string>\s+Client secret/)
        .and.match(/usePkce\s+<boolean>/);
    });
  });
}
