import type { Messages } from '../en.ts';

export const usage: Messages['usage'] = {
  lead: 'O que esta conta guarda, quanto custa e como isso mudou com o tempo.',
  storage: 'Armazenamento',
  share: 'Parte do armazenamento do plano',
  ofIncluded: (share: string, size: string, plan: string) => `${share} dos ${size} que o plano ${plan} inclui.`,
  nothingIncluded: 'O plano não inclui armazenamento.',
  files: 'Arquivos',
  trash: (count: string, size: string) => `A lixeira tem mais ${count}, com ${size}, que contam como armazenamento.`,
  mean: 'Média deste mês',
  days: (days: string) => `Nos ${days} dias completos (UTC) deste mês até agora.`,
  noDays: 'Este mês ainda não tem um dia completo (UTC).',
  bill: 'Conta estimada',
  extra: (size: string) => `Por ${size} acima do plano, como está agora.`,
  noExtra: 'Nada está acima do plano.',
  price: (price: string) => `Cada GiB iniciado custa ${price} por mês.`,
  history: 'Ao longo do tempo',
  historyLead:
    'O armazenamento e os arquivos são a média de cada dia (UTC); as requisições e os bytes enviados, a soma. ' +
    'Hoje conta até agora. Os dias são guardados por 400 dias.',
  requests: 'Requisições',
  sent: 'Enviado',
  monthsRequests: 'Requisições deste mês',
  monthsSent: (size: string) => `${size} foram enviados em resposta.`,
  range: 'Período',
  lastDays: (days: string) => `Últimos ${days} dias`,
  save: 'Salvar como CSV',
  numbers: 'Mostrar os números',
  noHistory: 'Nenhum dia foi medido neste período',
  day: 'Dia',
  notCounted: 'não contado',
  ai: 'IA',
};
