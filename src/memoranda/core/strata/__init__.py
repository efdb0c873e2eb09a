"""The strata besides episodes and facts: goals, procedures, working memory, pools, the graph, budgets."""
