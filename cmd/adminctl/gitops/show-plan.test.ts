import { expect } from 'chai';
import { countsOf, isDrift, type Planned } from './plan.js';
import { showPlan } from './show-plan.js';

const LABEL = 'metadata.labels[applyset.kubernetes.io/part-of]';
const planned = (action: Planned['action'], more: Partial<Planned> = {}): Planned => ({
  kind: 'Folder',
  namespace: 'default',
  name: 'a',
  action,
  diff: [],
  ...more,
});

describe('a plan', () => {
  it('is shown by object, with the fields that change, and objects that stay are only counted', () => {
    const plan = [
      planned('created', { diff: [{ path: 'spec.title', to: 'A' }] }),
      planned('configured', {
        diff: [
          { path: 'spec.title', from: 'A', to: 'B' },
          { path: 'spec.description', from: 'x'.repeat(200) },
        ],
      }),
      planned('unchanged'),
      { kind: 'User', name: 'ann', action: 'pruned', diff: [], message: 'with 2 teams' } satisfies Planned,
    ];
    expect(showPlan(plan, false)).to.equal(
      [
        '+ Folder default/a created',
        '~ Folder default/a configured',
        '    spec.title: "A" → "B"',
        `    spec.description: "${'x'.repeat(119)}… → (absent)`,
        '- User ann pruned: with 2 teams',
        'created 1, configured 1, unchanged 1, pruned 1, conflicts 0',
        '',
      ].join('\n'),
    );
  });

  it('has colours only if they are asked for', () => {
    expect(showPlan([planned('created')], true)).to.contain('\u001b[32m+ Folder default/a created\u001b[39m');
  });

  it('shows no control characters, which could command a terminal', () => {
    const diff = [{ path: 'spec.title', from: '\u001b[2J', to: '\u009b2J\u202e' }];
    const text = showPlan([planned('configured', { diff, message: '\u0007' })], false);
    expect(text.replaceAll('\n', '')).to.not.match(/\p{Cc}|\p{Cf}/u);
    expect(text).to.contain('\\u0007').and.contain('\\u009b2J');
  });

  it('is drift if anything but the label of the set changes; another set’s member is more than that', () => {
    const adopted = planned('configured', { diff: [{ path: LABEL, to: 'applyset-x-v1' }] });
    expect(isDrift(countsOf([planned('unchanged'), adopted]))).to.equal(false);
    expect(showPlan([adopted], false))
      .to.contain('= Folder default/a adopted')
      .and.contain('adopted 1');
    const taken = planned('configured', { diff: [{ path: LABEL, from: 'applyset-y-v1', to: 'applyset-x-v1' }] });
    for (const one of [taken, planned('created'), planned('configured'), planned('pruned'), planned('conflict')]) {
      expect(isDrift(countsOf([one])), one.action).to.equal(true);
    }
  });
});
