import { expect } from 'chai';
import { startServer, type TestServer } from '../e2e/harness.js';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { useConsole, usePerson } from './console.js';
import { FOLDERS, writerOn } from './content.js';
import { itFollowsOthers } from './live-suite.js';

if (SERVER_STORES.includes('mongodb')) {
  describe('the console of one of two servers on a database', function suite() {
    this.timeout(120_000);
    let settings: Readonly<Record<string, string>> = {};
    let other: TestServer;
    const running = useConsole(async (context) => {
      settings = await storeSettings(context, 'mongodb');
      return settings;
    });
    const elsewhere = writerOn(() => other);
    const { person, page } = usePerson(running);

    before(async function start() {
      this.timeout(120_000);
      other = await startServer({ settings });
    });
    after(() => other?.stop());

    it('shows in the tree what is created, renamed and deleted by the other one', async () => {
      await person().goTo('/folders');
      await page().getByText('There is no folder yet').waitFor();
      await elsewhere.folder('far', 'From afar');
      const line = (title: string) => page().getByRole('treeitem', { name: title });
      await line('From afar').waitFor();
      await elsewhere.rename(`${FOLDERS}/far`, 'Renamed afar');
      await line('Renamed afar').waitFor();
      expect(await line('From afar').count()).to.equal(0);
      await elsewhere.remove(`${FOLDERS}/far`);
      await line('Renamed afar').waitFor({ state: 'detached' });
    });

    it('shows in the table of a kind what is created, renamed and deleted by the other one', async () => {
      await elsewhere.folder('first', 'First');
      await person().goTo('/kinds/folder.svc.app/v1beta1/folders');
      const grid = page().getByRole('grid');
      await grid.getByRole('link', { name: 'first', exact: true }).waitFor();
      await elsewhere.folder('second', 'Second');
      await grid.getByRole('link', { name: 'second', exact: true }).waitFor();
      await elsewhere.rename(`${FOLDERS}/second`, 'Renamed second');
      await grid.getByText('Renamed second').waitFor();
      await elsewhere.remove(`${FOLDERS}/second`);
      await grid.getByRole('link', { name: 'second', exact: true }).waitFor({ state: 'detached' });
    });

    it('shows on the page of an object what the other one changes, and that it was deleted and came back', async () => {
      await elsewhere.folder('object', 'Before');
      await person().goTo('/objects/folder.svc.app/v1beta1/folders/default/object');
      const title = (text: string) => page().getByRole('heading', { level: 1, name: text });
      await title('Before').waitFor();
      await elsewhere.rename(`${FOLDERS}/object`, 'Renamed');
      await title('Renamed').waitFor();
      await elsewhere.remove(`${FOLDERS}/object`);
      await page().getByText('This folder is not there any more').waitFor();
      await elsewhere.send('POST', `${FOLDERS}/object/restore`, {});
      await page().getByText('This folder is not there any more').waitFor({ state: 'detached' });
      await title('Renamed').waitFor();
    });

    itFollowsOthers(person, elsewhere);

    it('shows in a folder the dashboards that the other one creates and deletes', async () => {
      await elsewhere.folder('boards', 'Boards');
      await person().goTo('/folders/boards');
      await page().getByText('Nothing lies here yet').waitFor();
      await elsewhere.dashboard('board', 'A board', 'boards');
      const link = page().getByRole('link', { name: 'A board' });
      await link.waitFor();
      await elsewhere.remove(`${FOLDERS.replaceAll('folder', 'dashboard')}/board`);
      await link.waitFor({ state: 'detached' });
    });
  });
}
