"""All cases."""
import cases_groups
import cases_math
import cases_memory
import cases_programs

CASES = cases_memory.CASES + cases_groups.CASES + cases_math.CASES + cases_programs.CASES
