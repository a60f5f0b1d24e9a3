import type { KindEnvironment } from '../../../../registry/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { FolderSpec } from '../../../folder/folder/schema.js';
import { BY_GROUP } from '../schema.js';
import { type AlertRule, folderUidOf, rulesOf, specOf } from './dto.js';

/** Seconds between the evaluations of a group that says nothing else. */
const USUAL_INTERVAL = 60;
const LAST = Number.MAX_SAFE_INTEGER;

/** The rules of a group that the caller may view, in their order. */
export interface RuleGroup {
  readonly folder: string;
  readonly name: string;
  /** Seconds. */
  readonly interval: number;
  readonly rules: readonly AlertRule[];
}

/** The groups that the caller may view, by folder and name. `within` limits them to a folder, or to a group of it. */
export function groupsOf(
  call: LegacyCall,
  environment: KindEnvironment,
  within: readonly string[] = [],
): readonly RuleGroup[] {
  const groups = new Map<string, AlertRule[]>();
  const prefix = [call.organization.namespace, ...within];
  for (const rule of rulesOf(call).list({ index: BY_GROUP, prefix })) {
    const key = JSON.stringify([folderUidOf(rule, environment), specOf(rule).ruleGroup]);
    const rules = groups.get(key) ?? [];
    rules.push(rule);
    groups.set(key, rules);
  }
  return [...groups].map(([key, rules]) => {
    const [folder = '', name = ''] = JSON.parse(key) as readonly string[];
    return { folder, name, interval: intervalOf(rules), rules: inOrder(call, rules) };
  });
}

/** The interval of a group: that of its first rule with one. */
export function intervalOf(rules: readonly AlertRule[]): number {
  return rules.map((rule) => specOf(rule).interval).find((interval) => interval !== undefined) ?? USUAL_INTERVAL;
}

function inOrder(call: LegacyCall, rules: readonly AlertRule[]): readonly AlertRule[] {
  const place = (rule: AlertRule): number => specOf(rule).groupIndex ?? LAST;
  const objects = rulesOf(call);
  return [...rules].sort((a, b) => place(a) - place(b) || objects.idOf(a) - objects.idOf(b));
}

/** The title of a folder, or its uid if the caller may not view the folder. */
export function folderTitle(call: LegacyCall, name: string): string {
  const folders = call.objects<FolderSpec>('Folder');
  const folder = folders.find(name);
  if (folder === undefined || !folders.may('folders:read', folder)) return name;
  return folder.spec?.title ?? name;
}
