import type { KindEnvironment } from '../../../../registry/kinds/kind.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { objectOf } from '../../../../registry/read/reader.js';
import type { FolderSpec } from '../../../folder/folder/schema.js';
import { type AlertRuleSpec, BY_GROUP } from '../schema.js';
import { type AlertRule, folderUidOf, rulesOf, specOf, visibleEntries } from './dto.js';

/** Seconds between the evaluations of a group without an interval. */
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
export function* groupsOf(
  call: LegacyCall,
  environment: KindEnvironment,
  within: readonly string[] = [],
): Generator<RuleGroup, void, undefined> {
  const prefix = [call.organization.namespace, ...within];
  let rules: AlertRule[] = [];
  // The rules of a group follow each other in the index.
  for (const entry of visibleEntries(call, { index: BY_GROUP, prefix })) {
    const rule = objectOf<AlertRuleSpec>(entry);
    const [first] = rules;
    if (first !== undefined && !isSameGroup(first, rule, environment)) {
      yield groupOf(call, rules, environment);
      rules = [];
    }
    rules.push(rule);
  }
  if (rules.length > 0) yield groupOf(call, rules, environment);
}

function isSameGroup(a: AlertRule, b: AlertRule, environment: KindEnvironment): boolean {
  return specOf(a).ruleGroup === specOf(b).ruleGroup && folderUidOf(a, environment) === folderUidOf(b, environment);
}

function groupOf(call: LegacyCall, rules: readonly AlertRule[], environment: KindEnvironment): RuleGroup {
  const [first] = rules;
  if (first === undefined) throw new Error('a group has rules');
  const [folder, name] = [folderUidOf(first, environment), specOf(first).ruleGroup];
  return { folder, name, interval: intervalOf(rules), rules: inOrder(call, rules) };
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
  const folders = call.objects<FolderSpec>('folder/Folder');
  const folder = folders.find(name);
  if (folder === undefined || !folders.may('folders:read', folder)) return name;
  return folder.spec?.title ?? name;
}
