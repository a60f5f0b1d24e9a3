import { z } from 'zod';
import type { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { isRefusal, type Move, storing, taking } from './move.js';
import type { Subject } from './people.js';
import { PREFERENCES, STARS } from './resources.js';

const text = z.string().nullish();
const Preferences = z.object({
  theme: text,
  homeDashboardUID: text,
  timezone: text,
  weekStart: text,
  language: text,
  regionalFormat: text,
  dateStyle: text,
  navbar: z.object({ bookmarkUrls: z.array(z.string()).nullish() }).nullish(),
  queryHistory: z.object({ homeTab: text }).nullish(),
  cookiePreferences: z.record(z.string(), z.unknown()).nullish(),
});

/** Takes the preferences of the organization, with its home dashboard. */
export function takePreferences(move: Move): Promise<void> {
  return takeFrom(move, '/api/org/preferences', 'namespace');
}

/** The same of a team. */
export function takeTeamPreferences(move: Move, id: number, name: string): Promise<void> {
  return takeFrom(move, `/api/teams/${id}/preferences`, `team-${name}`);
}

async function takeFrom(move: Move, path: string, name: string): Promise<void> {
  await taking(move, PREFERENCES.plural, name, async () => {
    const spec = specOf(await move.source.get(path, Preferences));
    const isThere = await move.target.has(PREFERENCES, move.namespace, name);
    if (isThere || Object.keys(spec).length > 0) await storing(move, PREFERENCES, { name, spec });
  });
}

/** The preferences that are set. */
function specOf({ navbar, queryHistory, ...preferences }: z.infer<typeof Preferences>) {
  const all = {
    ...preferences,
    navbar: navbar?.bookmarkUrls && { bookmarkUrls: navbar.bookmarkUrls },
    queryHistory: queryHistory?.homeTab && { homeTab: queryHistory.homeTab },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value));
}

const Caller = z.object({ id: z.number(), login: z.string().optional() });

/**
 * Takes the preferences and stars of the user who imports. Nobody may read those of others. A service account has none.
 */
export async function takeOwn(move: Move): Promise<void> {
  const user = await callerOf(move);
  if (user !== undefined) {
    await takeFrom(move, '/api/user/preferences', `user-${user.name}`);
    await takeStars(move, user);
  }
  move.report.note(
    'preferences and stars of people',
    'nobody else may read them, so only those of the login are taken',
  );
}

async function callerOf({ source, people }: Move): Promise<Subject | undefined> {
  const caller = await unlessRefused(source.get('/api/user', Caller));
  const subject = caller && people.find({ id: caller.id, login: caller.login });
  return subject?.kind === 'User' ? subject : undefined;
}

async function takeStars(move: Move, { name }: Subject): Promise<void> {
  const stars = await unlessRefused(move.source.get('/api/user/stars', z.array(z.string())));
  if (stars === undefined || stars.length === 0) return;
  const resource = [{ group: `dashboard.${move.target.domain}`, kind: 'Dashboard', names: stars.toSorted() }];
  await taking(move, STARS.plural, name, () => storing(move, STARS, { name: `user-${name}`, spec: { resource } }));
}

async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isNone = (failure: LegacyFailure): boolean => [400, 403, 404].includes(failure.status);
    if (isRefusal(error) && isNone(error)) return undefined;
    throw error;
  }
}
