import type { Messages } from '../en.ts';

export const jobs: Messages['jobs'] = {
  lead: 'O que o servidor faz sozinho: remove o que expirou e cuida dos dados.',
  count: 'Itens feitos',
  done: (job: string) => `${job} terminou.`,
  doneWith: (job: string, count: string) => `${job} terminou: ${count}.`,
  goesOn: (job: string) => `${job} continua. O fim aparece aqui.`,
  job: 'Tarefa',
  lastRun: 'Última execução',
  run: 'Executar',
  running: 'Em andamento',
  seconds: (seconds: string) => `${seconds} s`,
  took: 'Duração',
  waitsForClock: 'Espera o relógio',
};
