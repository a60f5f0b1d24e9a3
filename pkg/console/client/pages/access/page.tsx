import { Heading } from '../../ui/heading.js';
import { Tabs } from '../../ui/tabs.js';
import { useAsked } from './asked.js';
import { WhatMay } from './what-may.js';
import { WhoMay } from './who-may.js';
import './style.css';

const TABS = [
  ['what', 'What may they do?'],
  ['who', 'Who may do this?'],
] as const;

/** Two questions about rights: what somebody may do, and who may do something. Both are in the address. */
export function AccessPage() {
  const [{ ask: tab }, ask] = useAsked();
  return (
    <div class="page">
      <Heading>Access</Heading>
      <Tabs label="Questions" tabs={TABS} value={tab} onValue={(id) => ask({ ask: id === 'who' ? 'who' : 'what' })} />
      {tab === 'what' ? <WhatMay /> : <WhoMay />}
    </div>
  );
}
