import { NAMESPACE_PREFERENCES } from '../../preferences/preferences/schema.js';
import { hashOf, type Sent } from './memory.js';
import type { PreferencesNode } from './preferences-source.js';
import { Drifted, Kept, Refused } from './refusal.js';
import { type Key, keyOf, partsOf } from './resources.js';
import type { Step } from './step.js';

/** Makes preferences there what they are here. */
export async function sendPreferences(step: Step, node: PreferencesNode): Promise<void> {
  const { memory, target, partial, spec } = step;
  const key = keyOf('preferences', node.name);
  const team = await teamOf(step, node.team);
  if (team === 'absent') return void partial.set(key, 'not there: its team');
  const hasHome = node.home !== undefined && memory.has(keyOf('dashboard', node.home));
  const sent = memory.get(key);
  const hash = `${node.hash}${hasHome ? '' : '-'}`;
  if (sent !== undefined && !sent.isUnknown && sent.hash === hash && sent.id === team) return;
  const there = await target.preferences.get(team);
  if (there === undefined) throw new Refused('its team was deleted there');
  const isAdopted = sent === undefined ? !memory.isOwn(key) && Object.keys(there).length > 0 : sent.isAdopted === true;
  if (sent === undefined && isAdopted && spec.existing === 'Keep') throw new Kept();
  const isChanged = sent?.answered !== undefined && sent.answered !== hashOf(there);
  if (isChanged && !sent?.isUnknown && spec.check?.drift === 'Report') throw new Drifted('its values');
  await step.begin(key);
  await target.preferences.put(team, { ...node.content, ...(hasHome && { homeDashboardUID: node.home }) });
  const answered = await target.preferences.hash(team);
  const record: Sent = { folder: '', hash, id: team, answered, ...(isAdopted && { isAdopted }) };
  memory.set(key, record);
  if (node.home === undefined || hasHome) partial.delete(key);
  else partial.set(key, `not there: dashboard ${node.home}`);
}

/** They have their defaults again. */
export async function resetPreferences({ memory, target }: Step, key: Key): Promise<void> {
  const { id } = memory.get(key) ?? {};
  // Without the number of its team, the request would be about the organization.
  const isKnown = id !== undefined || partsOf(key).name === NAMESPACE_PREFERENCES;
  if (isKnown && (await target.preferences.get(id)) !== undefined) await target.preferences.put(id, {});
  memory.delete(key);
}

/** The number of the team there. */
async function teamOf({ memory, source, target }: Step, name: string | undefined) {
  if (name === undefined) return undefined;
  const mirrored = memory.get(keyOf('team', name))?.id;
  if (mirrored !== undefined) return mirrored;
  const title = source.teams.titleOf(name);
  return (title === undefined ? undefined : await target.subjects.teamId(title)) ?? 'absent';
}
