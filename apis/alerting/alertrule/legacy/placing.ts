import type { RuleBody } from './body.js';
import { type AlertRule, specOf } from './dto.js';

/** What a PUT of a group makes of one rule. */
export interface Placed {
  readonly name: string;
  readonly body: RuleBody;
  /** Place in the group. */
  readonly index: number;
}

/** A write of a PUT of a group. Without a body, the rule only gives its title away. */
export type Step = Placed | { readonly name: string; readonly body?: undefined };

/** Names the rules. One without uid is the stored rule of this title, or a new one. */
export function placedRules(
  rules: readonly RuleBody[],
  before: readonly AlertRule[],
  fresh: readonly string[],
): readonly Placed[] {
  const named = new Set(rules.map(({ uid }) => uid));
  const byTitle = new Map(
    before.filter(({ metadata }) => !named.has(metadata.name)).map((rule) => [specOf(rule).title, rule.metadata.name]),
  );
  return rules.map((body, index) => ({
    name: body.uid || byTitle.get(titleOf(body)) || (fresh[index] ?? ''),
    body,
    index,
  }));
}

/**
 * The writes in an order in which titles are free: a rule that takes the title of another one is written after it. If
 * rules exchange their titles in a circle, one of them gives its title away first. Each round looks at all rules that
 * are left, so it is done when its writes are needed.
 */
export function* inOrderOfTitles(
  placed: readonly Placed[],
  before: readonly AlertRule[],
): Generator<Step, void, undefined> {
  const titles = new Map(before.map((rule) => [rule.metadata.name, specOf(rule).title]));
  for (let waiting = placed; waiting.length > 0; ) {
    const holders = new Map(waiting.map(({ name }) => [titles.get(name), name]));
    const isFree = ({ name, body }: Placed): boolean => (holders.get(titleOf(body)) ?? name) === name;
    const free = waiting.filter(isFree);
    const [first] = waiting;
    if (free.length === 0 && first !== undefined) {
      titles.delete(first.name);
      yield { name: first.name };
    }
    yield* free;
    const done = new Set(free);
    waiting = waiting.filter((item) => !done.has(item));
  }
}

function titleOf({ title }: RuleBody): string {
  return (title ?? '').trim();
}
