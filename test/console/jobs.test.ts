import { expect } from 'chai';
import { SERVER_STORES, storeSettings } from '../e2e/stores.js';
import { useConsole } from './console.js';
import { CALLERS, type Caller, type Scene } from './jobs/job.js';
import { openStage } from './jobs/stage.js';
import { JOBS } from './jobs/table.js';

const WIDE = { width: 1280, height: 800 };

it('the table of jobs has a cell for each caller', () => {
  expect(JOBS.length).to.be.at.least(30);
  expect(new Set(JOBS.map(({ name }) => name)).size, 'two jobs have one name').to.equal(JOBS.length);
  for (const { name, cells } of JOBS)
    for (const caller of CALLERS) expect(cells[caller], `${name}: ${caller}`).to.be.a('function');
});

for (const store of SERVER_STORES)
  describe(`the jobs of the console (${store})`, function suite() {
    this.timeout(120_000);
    const running = useConsole(async (context) => ({
      ...(await storeSettings(context, store)),
      'auth.anonymous.enabled': 'true',
    }));
    let as: (caller: Caller) => Scene;

    before(async () => {
      as = await openStage(running());
    });
    after(() => Promise.all(CALLERS.map((caller) => as(caller).person.context.close())));

    for (const { name, cells } of JOBS)
      describe(name, () => {
        for (const caller of CALLERS)
          it(`by the ${caller}`, async () => {
            const scene = as(caller);
            await scene.page.setViewportSize(WIDE);
            await scene.page.emulateMedia({ media: null });
            await cells[caller](scene);
            expect(scene.person.complaints).to.deep.equal([]);
          });
      });
  });
