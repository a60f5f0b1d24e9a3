import { expect } from 'chai';
import type { Setup } from './setup.js';

interface History {
  readonly versions: readonly { readonly version: number; readonly message?: string }[];
}

export function past(setup: Setup): void {
  const folder = (title: string, message?: string): string =>
    JSON.stringify({
      apiVersion: 'folder.svc.app/v1beta1',
      kind: 'Folder',
      metadata: { name: 'past', ...(message !== undefined && { annotations: { 'svc.app/message': message } }) },
      spec: { title },
    });
  const path = '/apis/folder.svc.app/v1beta1/namespaces/default/folders/past';
  const kubectl: Setup['kubectl']['ok'] = (...args) => setup.kubectl.ok(...args);
  const versions = async (): Promise<History['versions']> =>
    (JSON.parse(await kubectl(['get', '--raw', `${path}/history`])) as History).versions;
  const restore = (spec: object): Promise<string> =>
    kubectl(['create', '--raw', `${path}/restore`, '-f', '-'], { input: JSON.stringify({ spec }) });

  describe('history and trash', () => {
    it('get --raw reads the versions, and create --raw brings one back', async () => {
      await kubectl(['apply', '-f', '-'], { input: folder('One') });
      await kubectl(['apply', '-f', '-'], { input: folder('Two', 'second') });
      expect((await versions()).map(({ version, message }) => [version, message])).to.deep.equal([
        [2, 'second'],
        [1, undefined],
      ]);
      await restore({ version: 1 });
      expect(await kubectl(['get', 'folder', 'past', '-o', 'jsonpath={.spec.title}'])).to.equal('One');
    });

    it('get with the selector lists the trash, and create --raw brings a deleted object back', async () => {
      await kubectl(['apply', '-f', '-'], { input: folder('One') });
      await kubectl(['delete', 'folder', 'past']);
      expect(await kubectl(['get', 'folders', '-l', 'svc.app/get-trash=true'])).to.match(/^past +One/m);
      expect(await kubectl(['get', 'folders', '-l', 'x=y'])).not.to.contain('past');
      await restore({});
      expect(await kubectl(['get', 'folders', '-l', 'svc.app/get-trash=true'])).not.to.contain('past');
      expect(await kubectl(['get', 'folder', 'past', '-o', 'jsonpath={.spec.title}'])).to.equal('One');
      await kubectl(['delete', 'folder', 'past']);
    });
  });
}
