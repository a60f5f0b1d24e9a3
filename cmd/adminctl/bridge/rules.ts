import { z } from 'zod';
import { each } from './each.js';
import { type Move, PARALLEL, reading, storing, taking } from './move.js';
import { folderIn, levelsAbove, type Places } from './place.js';
import { RULES } from './resources.js';

const text = z.string().nullish();
const content = z.record(z.string(), z.unknown()).nullish();
const Query = z.object({
  refId: z.string(),
  queryType: text,
  relativeTimeRange: z.object({ from: z.number().nullish(), to: z.number().nullish() }).nullish(),
  datasourceUid: text,
  model: content,
});
const Rule = z.object({
  id: z.number().optional(),
  uid: z.string(),
  folderUID: z.string(),
  ruleGroup: z.string(),
  title: z.string(),
  condition: text,
  data: z.array(Query).default([]),
  updated: text,
  for: text,
  keep_firing_for: text,
  noDataState: text,
  execErrState: text,
  labels: content,
  annotations: content,
  isPaused: z.boolean().nullish(),
  missingSeriesEvalsToResolve: z.number().nullish(),
  notification_settings: content,
  record: content,
  provenance: text,
});
type Rule = z.infer<typeof Rule>;
const Group = z.object({ interval: z.number().optional(), rules: z.array(z.object({ uid: z.string().optional() })) });
type Group = z.infer<typeof Group>;

/** Takes alert rules, group by group: the interval and the order belong to the group. */
export async function takeRules(move: Move, places: Places): Promise<void> {
  const rules = (await reading(move, 'alert rules', '/api/v1/provisioning/alert-rules', z.array(Rule))) ?? [];
  const bar = move.progress('alert rules');
  let done = 0;
  await each(groupsOf(rules), PARALLEL, async (group) => {
    await takeGroup(move, group, places);
    done += group.length;
    bar.update(done, rules.length);
  });
  bar.stop();
}

function groupsOf(rules: readonly Rule[]): Iterable<readonly Rule[]> {
  const groups = new Map<string, Rule[]>();
  for (const rule of rules) {
    const key = `${rule.folderUID}/${rule.ruleGroup}`;
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  return groups.values();
}

async function takeGroup(move: Move, rules: readonly Rule[], places: Places): Promise<void> {
  const { folderUID, ruleGroup } = rules[0] ?? { folderUID: '', ruleGroup: '' };
  const folder = folderIn(folderUID);
  if (folder === undefined || levelsAbove(places, folder) === undefined) {
    for (const { uid, title } of rules)
      move.report.skip(RULES.plural, `${uid} (${title})`, `its folder ${folderUID} was not taken`);
    return;
  }
  await taking(move, 'groups of alert rules', `${ruleGroup} in ${folder}`, async () => {
    const path = `/api/v1/provisioning/folder/${encodeURIComponent(folder)}/rule-groups/${encodeURIComponent(ruleGroup)}`;
    const group = await move.source.get(path, Group);
    for (const rule of rules)
      await taking(move, RULES.plural, `${rule.uid} (${rule.title})`, () => takeRule(move, rule, group));
  });
}

async function takeRule(move: Move, rule: Rule, { interval, rules }: Group): Promise<void> {
  const {
    id,
    uid: name,
    folderUID: folder,
    provenance,
    updated,
    keep_firing_for,
    notification_settings,
    ...same
  } = rule;
  const index = rules.findIndex(({ uid }) => uid === name);
  const data = rule.data.map((query) =>
    given({ ...query, relativeTimeRange: query.relativeTimeRange && given(query.relativeTimeRange) }),
  );
  const spec = {
    ...same,
    ...DEFAULTS,
    ...given(same),
    data: data.map((query) => ({ datasourceUid: '', model: {}, ...query })),
    ...(await placeIn(move, name, { interval, groupIndex: index === -1 ? undefined : index }, rules.length === 1)),
    keepFiringFor: keep_firing_for,
    notificationSettings: notification_settings,
  };
  await storing(move, RULES, {
    name,
    spec: given(spec),
    annotations: { folder, provenance: provenance || undefined },
    origin: { id, ...(updated && { updated }) },
  });
}

interface InGroup {
  readonly interval: number | undefined;
  readonly groupIndex: number | undefined;
}

const USUAL_INTERVAL = 60;

/**
 * A rule here without interval or place has those that the source tells of its group, too. A new one that is alone in
 * its group needs neither a place nor the usual interval: the source tells these also if it has stored none.
 */
async function placeIn(
  { target, namespace }: Move,
  name: string,
  found: InGroup,
  isAlone: boolean,
): Promise<Partial<InGroup>> {
  if (!(await target.has(RULES, namespace, name))) return isAlone && found.interval === USUAL_INTERVAL ? {} : found;
  const spec = (await target.get(RULES, namespace, name)).spec as Partial<InGroup>;
  const isUsual = spec.interval === undefined && found.interval === USUAL_INTERVAL;
  return {
    interval: isUsual ? undefined : found.interval,
    groupIndex: spec.groupIndex === undefined ? undefined : found.groupIndex,
  };
}

/** What the kind fills in for what is left out. */
const DEFAULTS = {
  for: '0s',
  noDataState: 'NoData',
  execErrState: 'Error',
  labels: {},
  annotations: {},
  isPaused: false,
};

/** The members that have a value. Servers answer null or an empty text for what is not set. */
function given(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined && value !== null && value !== '';
  return Object.fromEntries(Object.entries(members).filter(isGiven));
}
