import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { useChromium } from '../e2e/chromium.js';
import { startServer, type TestServer } from '../e2e/harness.js';
import { violationsOf } from './axe.js';
import { Sessions } from './sessions.js';

export interface OpenOptions {
  readonly user?: string;
  readonly password?: string;
  readonly context?: BrowserContextOptions;
  /** The base address. The default is that of HTTP. */
  readonly at?: string;
}

/** A person in front of the console. */
export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Loads a place of the console, such as `/folders`. */
  goTo(place: string): Promise<void>;
  /** Goes to a place as a link does, without loading the console again, which takes half as long. */
  visit(place: string): Promise<void>;
}

/** The console of a real server in a real browser. */
export interface Console {
  readonly server: TestServer;
  readonly browser: Browser;
  /** A person who has signed in, in a browser without cookies. The default is the administrator. */
  person(options?: OpenOptions): Promise<Person>;
}

type Settings = Readonly<Record<string, string>>;

/** Starts a server for the suite, and skips it on a machine without a browser. */
export function useConsole(settings: Settings | ((context: Mocha.Context) => Promise<Settings>) = {}): () => Console {
  let [server, browser]: [TestServer | undefined, Browser | undefined] = [undefined, undefined];
  const sessions = new Sessions();
  const guests = new Guests();
  before(async function start() {
    this.timeout(240_000);
    browser = await useChromium();
    if (browser === undefined) return this.skip();
    server = await startServer({ settings: typeof settings === 'function' ? await settings(this) : settings });
  });
  // A browser on a busy machine is late in ways that a test cannot foresee. What is tried again is printed at the end
  // of the run (hack/suites.ts).
  beforeEach(function tryAgain() {
    if (process.env['CI'] !== undefined) this.currentTest?.retries(1);
    guests.begin();
  });
  afterEach(() => guests.leave());
  after(async () => {
    await server?.stop();
  });
  return () => {
    if (server === undefined || browser === undefined) throw new Error('the console is used before it was started');
    const running = { server, browser };
    return { ...running, person: async (options) => guests.add(await openAs(running, sessions, options)) };
  };
}

/**
 * The people of one test, who leave with it: a page that stays open goes on watching, and its session cannot be used
 * again. Those who came before the first test stay for all of them.
 */
class Guests {
  readonly #contexts: BrowserContext[] = [];
  #isTest = false;

  begin(): void {
    this.#isTest = true;
  }

  add(person: Person): Person {
    if (this.#isTest) this.#contexts.push(person.context);
    return person;
  }

  async leave(): Promise<void> {
    this.#isTest = false;
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
  }
}

/** Chooses another organization by its title, in the head of the console. */
export async function switchOrganization(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Organization: ' }).click();
  await page.getByRole('menuitemradio', { name: title }).click();
}

/** Pages without movement, because a browser without a graphics card takes long to draw it. */
export const STILL: BrowserContextOptions = {
  locale: 'en-GB',
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
};

/** A person who signs in before each test. A test with complaints fails at its end. */
export function usePerson(running: () => Console): { person(): Person; page(): Page } {
  let person: Person | undefined;
  beforeEach(async () => {
    person = await running().person();
  });
  afterEach(async () => {
    expect(person?.complaints).to.deep.equal([]);
    await person?.context.close();
  });
  const current = (): Person => {
    if (person === undefined) throw new Error('nobody has signed in yet');
    return person;
  };
  return { person: current, page: () => current().page };
}

async function openAs(
  { server, browser }: Pick<Console, 'server' | 'browser'>,
  sessions: Sessions,
  { user = 'admin', password = 'admin', context: own, at = server.httpUrl }: OpenOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ ...STILL, ...own });
  await sessions.signIn(context, at, { user, password });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    // The browser logs each 4xx and 5xx, which is not a fault of the page.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) complaints.push(message.text());
  });
  page.on('response', (response) => {
    // The server ignores what it does not know, so the page would show something else than what it asked for.
    const warning = response.headers()['warning'] ?? '';
    if (warning.includes('unknown query parameter')) complaints.push(`${response.url()}: ${warning}`);
  });
  const goTo = async (place: string): Promise<void> => {
    await page.goto(`${at}/console${place}`);
    await page.locator('h1').first().waitFor();
  };
  return { page, context, complaints, goTo, visit: (place) => visit(page, place) };
}

/**
 * Goes to a place of the console that is open in the page. It goes to no place between, so that the heading is that of
 * the new place.
 */
export async function visit(page: Page, place: string): Promise<void> {
  const nowhere = page.getByRole('heading', { level: 1, name: 'There is no such page' });
  await push(page, '/nowhere');
  await nowhere.waitFor();
  await push(page, place);
  await nowhere.waitFor({ state: 'detached' });
  await page.locator('h1').first().waitFor();
}

async function push(page: Page, place: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${place}`)})`);
}

/**
 * Expects that axe finds no violation of WCAG 2.2 AA in the page, in light and in dark colours. Only rules about
 * colours can differ in the second theme.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const html = page.locator('html');
  const chosen = (await html.getAttribute('data-theme')) ?? 'light';
  for (const theme of ['light', 'dark']) {
    await setTheme(page, theme);
    expect(await violationsOf(page, { onlyColours: theme === 'dark' }), theme).to.deep.equal([]);
  }
  await setTheme(page, chosen);
}

/** The script is a text, because the tests do not have the types of browsers. */
async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`);
}
