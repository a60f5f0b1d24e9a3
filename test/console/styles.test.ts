import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';
import { builtConsole } from './built.js';
import { useConsole } from './console.js';

interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly Import[] }>>;
  readonly outputs: Readonly<Record<string, { readonly entryPoint?: string; readonly cssBundle?: string }>>;
}

interface Import {
  readonly path: string;
  readonly kind: string;
}

const CLIENT = 'pkg/console/client/';

describe('the styles of the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();

  const metafile = async (): Promise<Metafile> =>
    JSON.parse(await readFile(join(ROOT, 'dist/console/meta.json'), 'utf8')) as Metafile;

  /** The style sheets that a file imports, itself or by others, before anything is loaded later. */
  const stylesOf = async (entry: string): Promise<readonly string[]> => {
    const meta = await metafile();
    const seen = new Set<string>();
    const follow = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const { path: next, kind } of meta.inputs[path]?.imports ?? []) if (kind !== 'dynamic-import') follow(next);
    };
    follow(`${CLIENT}${entry}`);
    return [...seen].filter((path) => path.endsWith('.css') && !path.endsWith('first.css')).sort();
  };

  before(builtConsole);

  it('of the first view are those that it imports, and no others', async () => {
    expect(await stylesOf('style/first.css')).to.deep.equal(await stylesOf('main.tsx'));
  });

  it('are there for each part that imports some, also for parts that import the same', async () => {
    const first = await stylesOf('main.tsx');
    const scripts = Object.values((await metafile()).outputs).filter(({ entryPoint = '' }) => entryPoint.endsWith('x'));
    expect(scripts).to.have.length.above(10);
    for (const { entryPoint = '', cssBundle } of scripts) {
      const own = (await stylesOf(entryPoint.slice(CLIENT.length))).filter((path) => !first.includes(path));
      if (entryPoint !== `${CLIENT}main.tsx`) expect(cssBundle !== undefined, entryPoint).to.equal(own.length > 0);
    }
  });

  it('of the palette are its own', async () => {
    expect(await stylesOf('app/palette/palette.tsx')).to.deep.equal([`${CLIENT}app/palette/style.css`]);
  });

  it('come with the page that needs them, before it is shown', async () => {
    const { page, goTo, visit, complaints } = await running().person();
    const loaded = () =>
      page.evaluate<readonly string[]>('[...document.styleSheets].map(({ href }) => href).filter(Boolean)');
    await goTo('/folders');
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    const first = await loaded();
    expect(first.map((href) => basename(href).replace(/-\w+\.css$/, ''))).to.deep.equal(['first', 'panel']);
    await visit('/o/default/trash');
    expect(await loaded()).to.have.length(3);
    await visit('/o/default/folders');
    await visit('/o/default/trash');
    expect(await loaded()).to.have.length(3);
    expect(complaints).to.deep.equal([]);
  });
});
