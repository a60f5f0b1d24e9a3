import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../e2e/process.js';
import { expectAccessible, type Person, switchOrganization, useConsole } from './console.js';
import { PASSWORD, writerOn } from './content.js';

describe('the account in the console', function suite() {
  this.timeout(120_000);
  const running = useConsole();
  const write = writerOn(() => running().server);
  let admin: Person;
  let page: Page;

  /** Reads by the API as the person in front of the console. */
  const own = async <Body>(path: string): Promise<Body> =>
    (await (await admin.context.request.get(`${running().server.httpUrl}${path}`)).json()) as Body;
  const preferences = (owner: string) => own<object>(`${owner}/preferences`);
  /** Adds something as the person, who becomes its administrator or member. */
  const add = async (path: string, data: object): Promise<unknown> => {
    const { httpUrl } = running().server;
    return (await admin.context.request.post(`${httpUrl}${path}`, { data, headers: { origin: httpUrl } })).json();
  };
  const told = (text: string) => page.getByText(text).first().waitFor();

  const shows = (zone: string) =>
    eventually(
      async () => (await page.getByLabel('Time zone').inputValue()) === zone || undefined,
      () => `the time zone is not ${zone}`,
    );

  before(async () => {
    admin = await running().person();
    page = admin.page;
  });
  afterEach(() => expect(admin.complaints).to.deep.equal([]));

  it('has preferences, which are checked by the server', async () => {
    await admin.goTo('/account');
    await page.getByLabel('Time zone').fill('nowhere');
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await page.getByRole('alert').getByText('Invalid timezone').waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('First day of the week').selectOption('Monday');
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await told('The preferences were saved.');
    expect(await preferences('/api/user')).to.include({ timezone: 'Europe/Berlin', weekStart: 'monday' });
    await expectAccessible(page);
  });

  it('shows times in the time zone and the language that it prefers', async () => {
    const titles = () => page.locator('time[title]').evaluateAll((all) => all.map((one) => one.getAttribute('title')));
    const shown = async (zone: RegExp): Promise<void> => {
      await admin.goTo('/account');
      await eventually(
        async () => ((await titles()).some((title) => zone.test(title ?? '')) ? true : undefined),
        () => `no time is shown as ${zone}`,
      );
    };
    const { httpUrl } = running().server;
    const mine = async (data: object) =>
      (
        await admin.context.request.patch(`${httpUrl}/api/user/preferences`, { data, headers: { origin: httpUrl } })
      ).ok();
    expect(await mine({ timezone: 'Asia/Tokyo', language: 'de-DE' })).to.equal(true);
    await shown(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d (JST|GMT\+9)$/);
    expect(await mine({ timezone: 'utc', language: 'en-US' })).to.equal(true);
    await shown(/UTC$/);
    expect(await mine({ timezone: 'Europe/Berlin', language: '' })).to.equal(true);
  });

  it('changes its password, and signs out its other sessions', async () => {
    await write.user('tina', 'Viewer');
    const [here, there] = [
      await running().person({ user: 'tina', password: PASSWORD }),
      await running().person({ user: 'tina', password: PASSWORD }),
    ];
    await here.goTo('/account');
    await here.page.getByLabel('Old password').fill('wrong');
    await here.page.getByLabel('New password', { exact: true }).fill(`${PASSWORD}8`);
    await here.page.getByLabel('New password again').fill(`${PASSWORD}8`);
    await here.page.getByRole('button', { name: 'Change password' }).click();
    await here.page.getByRole('alert').getByText('Invalid old password').waitFor();
    await here.page.getByRole('button', { name: 'Sign out all others' }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await here.page.getByText('All these sessions have ended.').waitFor();
    expect((await there.context.request.get(`${running().server.httpUrl}/api/user`)).status()).to.equal(401);
    await here.page.getByLabel('Old password').fill(PASSWORD);
    await here.page.getByRole('button', { name: 'Change password' }).click();
    await here.page.getByText('Your password was changed.').waitFor();
  });

  it('switches to another organization', async () => {
    const { orgId } = (await add('/api/orgs', { name: 'Second' })) as { orgId: number };
    await admin.goTo('/account');
    await page.getByRole('button', { name: 'Switch to Second' }).click();
    await told('Second is your active organization now.');
    expect(await own<{ orgId: number }>('/api/user')).to.include({ orgId });
    await page.getByRole('button', { name: 'Switch to Main Org.' }).click();
    await told('Main Org. is your active organization now.');
  });

  it('keeps preferences of everybody and of a team apart from those of the person', async () => {
    const { teamId } = (await write.send('POST', '/api/teams', { name: 'Night' })).json<{ teamId: number }>();
    const before = await preferences('/api/user');
    await admin.goTo('/account');
    const whose = page.getByLabel('Whose preferences');
    for (const [owner, path, zone] of [
      ['Everybody in the organization', '/api/org', 'Asia/Tokyo'],
      ['Team Night', `/api/teams/${teamId}`, 'America/Lima'],
    ] as const) {
      await whose.selectOption(owner);
      await shows('');
      await page.getByLabel('Time zone').fill(zone);
      await page.getByLabel('Colours').selectOption('Dark');
      await page.getByRole('button', { name: 'Save preferences' }).click();
      await told('The preferences were saved.');
      await page.getByRole('button', { name: 'Close message' }).click();
      expect(await preferences(path)).to.include({ timezone: zone, theme: 'dark' });
    }
    // The preferences are shown again, and the page still has the theme of the person.
    await whose.selectOption('Mine');
    await whose.selectOption('Everybody in the organization');
    await shows('Asia/Tokyo');
    await expectAccessible(page);
    expect(await preferences('/api/user')).to.deep.equal(before);
    expect(await page.locator('html').getAttribute('data-theme')).to.equal('light');
  });

  it('has preferences of everybody in each organization apart', async () => {
    await write.send('PATCH', '/api/org/preferences', { timezone: 'Asia/Seoul' });
    await add('/api/orgs', { name: 'Third' });
    await admin.goTo('/account');
    await page.getByLabel('Whose preferences').selectOption('Everybody in the organization');
    await shows('Asia/Seoul');
    await switchOrganization(page, 'Third');
    await shows('');
  });
});
