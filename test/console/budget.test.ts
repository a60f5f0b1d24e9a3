import { expect } from 'chai';
import { useConsole } from './console.js';
import { foldersOn } from './folders.js';

/** The most bytes of the first view, as they come over the network, with their headers. */
const MOST_BYTES = 150 * 1024;
/** The most scripts of it: the one that starts, that of all its parts, and that of the home. */
const MOST_SCRIPTS = 3;

describe('the first view of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const { folder } = foldersOn(() => running().server);

  before(async () => {
    const parents = Array.from({ length: 20 }, (_, n) => `top-${n}`);
    for (const name of parents) await folder(name, `Folder ${name}`);
    const below = parents.flatMap((parent) =>
      Array.from({ length: 14 }, (_, n) => [parent, `${parent}-${n}`] as const),
    );
    for (const [parent, name] of below) await folder(name, `Folder ${name}`, parent);
  });

  it('takes at most 150 KiB in few files, with the data of 300 folders', async () => {
    const { context, page, goTo } = await running().person();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    let bytes = 0;
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    network.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await goTo('/folders');
    await page.getByRole('treeitem', { name: 'Folder top-19' }).waitFor();
    await page.getByRole('region', { name: 'Changed lately by others' }).getByRole('link').first().waitFor();
    expect(bytes).to.be.within(50 * 1024, MOST_BYTES);
    expect(scripts.length, scripts.join('\n')).to.be.within(1, MOST_SCRIPTS);
  });
});
