import type { Mirror, MirrorSpec } from './mirrors.js';

/** What a person has typed about a mirror. */
export interface Draft {
  readonly name: string;
  readonly address: string;
  readonly organization: string;
  readonly credential: 'secret' | 'token';
  readonly secret: string;
  /** Becomes a Secret when the mirror is saved. */
  readonly token: string;
  readonly range: 'all' | 'chosen';
  readonly folders: readonly string[];
  readonly labels: string;
  readonly dashboards: boolean;
  readonly elements: boolean;
  readonly permissions: boolean;
  readonly teams: boolean;
  readonly preferences: boolean;
  readonly existing: 'Keep' | 'Adopt';
  readonly delete: boolean;
  readonly maxDeletions: string;
  readonly drift: 'No' | 'PutBack' | 'Report';
  readonly interval: string;
}

export function draftOf({ metadata, spec = {} }: Pick<Mirror, 'metadata' | 'spec'>): Draft {
  const { folders, kinds = ['Dashboard', 'LibraryElement'], check } = spec;
  return {
    name: metadata.name,
    address: spec.address ?? '',
    organization: String(spec.organization ?? ''),
    credential: spec.credential === undefined ? 'token' : 'secret',
    secret: spec.credential?.secret ?? '',
    token: '',
    range: folders === undefined ? 'all' : 'chosen',
    folders: folders?.names ?? [],
    labels: folders?.labels ?? '',
    dashboards: kinds.includes('Dashboard'),
    elements: kinds.includes('LibraryElement'),
    permissions: spec.permissions ?? true,
    teams: spec.teams ?? false,
    preferences: spec.preferences ?? false,
    existing: spec.existing ?? 'Keep',
    delete: spec.delete ?? false,
    maxDeletions: String(spec.maxDeletions ?? ''),
    drift: check === undefined ? 'No' : (check.drift ?? 'PutBack'),
    interval: check?.interval ?? '1h',
  };
}

/** A number as it is sent. What is no number goes to the server as it is, which says what is wrong. */
const numeric = (text: string): number =>
  /^\d+$/.test(text.trim()) ? Number(text) : (text.trim() as unknown as number);

/** The spec that was typed. What the form does not show stays as it is in `before`. */
export function specOf(draft: Draft, before: MirrorSpec = {}): MirrorSpec {
  const { organization: _, folders: __, kinds: ___, maxDeletions: ____, check: _____, ...kept } = before;
  const kinds = [...(draft.dashboards ? ['Dashboard'] : []), ...(draft.elements ? ['LibraryElement'] : [])];
  return {
    ...kept,
    address: draft.address.trim(),
    credential: { secret: draft.secret },
    ...(draft.organization.trim() !== '' && { organization: numeric(draft.organization) }),
    ...(draft.range === 'chosen' && { folders: foldersOf(draft) }),
    ...(kinds.length < 2 && { kinds }),
    permissions: draft.permissions,
    teams: draft.teams,
    preferences: draft.preferences,
    existing: draft.existing,
    delete: draft.delete,
    ...(draft.delete && draft.maxDeletions.trim() !== '' && { maxDeletions: numeric(draft.maxDeletions) }),
    ...(draft.drift !== 'No' && { check: { interval: draft.interval.trim(), drift: draft.drift } }),
  };
}

function foldersOf({ folders, labels }: Draft): NonNullable<MirrorSpec['folders']> {
  return { ...(folders.length > 0 && { names: folders }), ...(labels.trim() !== '' && { labels: labels.trim() }) };
}

/** A name for a mirror, from the host of its address. */
export function nameFrom(address: string): string {
  if (!URL.canParse(address)) return '';
  const [first = ''] = new URL(address).hostname.split('.');
  return /^[a-z][a-z0-9-]*$/.test(first) ? first : '';
}
