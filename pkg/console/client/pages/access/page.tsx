import { useSignal } from '@preact/signals';
import { useSearch } from 'wouter-preact';
import { Tabs } from '../../ui/tabs.js';
import { WhatMay } from './what-may.js';
import { WhoMay } from './who-may.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

const TABS = [
  ['what', 'What may this person do?'],
  ['who', 'Who may do this?'],
] as const;

/** Two questions about rights: what somebody may do, and who may do something. */
export function AccessPage() {
  const asked = new URLSearchParams(useSearch());
  const tab = useSignal(asked.get('ask') === 'who' ? 'who' : 'what');
  const object = asked.get('object') ?? '';
  return (
    <div class="page">
      <Heading>Access</Heading>
      <Tabs label="Questions" tabs={TABS} value={tab.value} onValue={(id) => (tab.value = id)} />
      {tab.value === 'what' ? <WhatMay /> : <WhoMay key={object} object={object} />}
    </div>
  );
}
