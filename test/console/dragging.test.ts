import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { useConsole, usePerson } from './console.js';
import { DASHBOARDS, FOLDERS, writerOn } from './content.js';

const FOLDER = 'svc.app/folder';

describe('dragging in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  const { person, page } = usePerson(running);

  before(async () => {
    await write.folder('from', 'From');
    await write.folder('to', 'To');
    await write.folder('below', 'Below', { [FOLDER]: 'to' });
    await write.folder('secret', 'Secret plans', { 'svc.app/basic-roles': 'none' });
    await write.dashboard('board', 'A board', 'from');
  });

  const line = (title: string) => page().getByRole('treeitem', { name: title, exact: true });
  const row = (title: string) => page().getByRole('listitem').filter({ hasText: title });
  const dialog = () => page().getByRole('dialog', { name: /^Move/ });
  /** Moves the pointer in steps, as a hand does. */
  const moveOver = async (place: Locator): Promise<void> => {
    const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page().mouse.move(x + width / 2, y + height / 2, { steps: 8 });
  };
  const placeOf = async (path: string): Promise<string | undefined> => {
    const { metadata } = (await write.send('GET', path)).json<{ metadata: { annotations?: Record<string, string> } }>();
    return metadata.annotations?.[FOLDER];
  };

  it('moves a folder, after a preview of who gains and who loses access', async () => {
    await write.folder('dragged', 'Dragged');
    await person().goTo('/folders');
    await line('Dragged').dragTo(line('Secret plans (private)'));
    await dialog().getByRole('heading', { name: 'Lose access' }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await placeOf(`${FOLDERS}/dragged`)).to.equal(undefined);
  });

  it('moves a dashboard from its folder to another one in the tree, after the preview, and back', async () => {
    await person().goTo('/folders/from');
    await row('A board').dragTo(line('To'));
    await dialog().getByText('Nobody gains access, and nobody loses it.').waitFor();
    expect(await placeOf(`${DASHBOARDS}/board`)).to.equal('from');
    await dialog()
      .getByRole('button', { name: /^Move to/ })
      .click();
    await page()
      .getByText(/was moved to/)
      .waitFor();
    await page().getByText('Nothing lies here yet').waitFor();
    expect(await placeOf(`${DASHBOARDS}/board`)).to.equal('to');
    await page().getByRole('button', { name: 'Undo' }).click();
    await row('A board').waitFor();
    expect(await placeOf(`${DASHBOARDS}/board`)).to.equal('from');
  });

  it('opens a closed folder while something is dragged over it, and takes it there', async () => {
    await person().goTo('/folders/from');
    await row('A board').hover();
    await page().mouse.down();
    await moveOver(line('To'));
    await line('Below').waitFor();
    await moveOver(line('Below'));
    await page().mouse.up();
    // The tree of the dialog opens to the target, and marks it.
    await dialog().getByRole('treeitem', { name: 'Below', selected: true }).waitFor();
    await dialog()
      .getByRole('button', { name: /^Move to .*Below/ })
      .click();
    await page()
      .getByText(/was moved to/)
      .waitFor();
    expect(await placeOf(`${DASHBOARDS}/board`)).to.equal('below');
  });

  it('moves a dashboard out of all folders', async () => {
    await write.dashboard('loose', 'A loose board', 'from');
    await person().goTo('/folders/from');
    await row('A loose board').dragTo(
      page()
        .getByRole('complementary')
        .getByRole('listitem')
        .filter({ hasText: /^All folders$/ }),
    );
    await dialog().getByRole('button', { name: 'Move to all folders' }).click();
    await page()
      .getByText(/was moved to all folders/)
      .waitFor();
    expect(await placeOf(`${DASHBOARDS}/loose`)).to.equal(undefined);
  });
});
