# A campaign in several languages: run `make -j leaderboard` here. References are references/LANGUAGE/EVAL.txt (of
# several people: references/LANGUAGE/PERSON/EVAL.txt), submissions are submissions/TEAM.zip with LANGUAGE/EVAL.txt.
# Only what changed is checked and scored again. A submission with an error is not scored; the page says what it is.
TITLE =
LANGUAGES =
METRICS = R1,R2,RL
# Options of rouge-cli score, such as --stem or --recipe.
OPTIONS =

# Under -j what a target prints stays together, where make can do that.
MAKEFLAGS += $(if $(filter output-sync,$(.FEATURES)),--output-sync)
CAMPAIGN := $(lastword $(MAKEFILE_LIST))
# No name of a file reaches make or a shell, unless the program has checked it: the names of teams, which follow.
# The program writes evals.txt, build/references and build/submissions, too, if they changed, and names what it skips.
# It fails while another make works here: $$PPID is the number of this one.
ifneq ($(MAKECMDGOALS),clean)
MANIFEST := $(shell rouge-cli campaign manifest --make $$PPID $(LANGUAGES) && echo .)
$(if $(filter .,$(MANIFEST)),,$(error rouge-cli campaign manifest failed))
endif
TEAMS := $(filter-out .,$(MANIFEST))
SCORES := $(foreach language,$(LANGUAGES),$(TEAMS:%=build/scores/$(language)/%.json))
PAGES := $(LANGUAGES:%=build/pages/%.html)
export TITLE TEAMS METRICS OPTIONS

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: leaderboard clean FORCE
leaderboard: leaderboard.html

leaderboard.html: $(PAGES) build/TEAMS build/TITLE
	rouge-cli campaign page --title="$$TITLE" --submissions submissions --findings build/checked -o $@ $(PAGES)

# The evals of the campaign, which teams need, too, and the digests of its references and submissions: a file that
# replaces another may be older.
evals.txt $(LANGUAGES:%=build/references/%.txt) $(TEAMS:%=build/submissions/%.txt): ;

# What is wrong with a submission; empty if nothing is. Then its texts are in build/texts. The program writes this file
# last, and whole: a check that was killed leaves none, and is done again.
build/checked/%.txt: build/submissions/%.txt evals.txt
	@mkdir -p $(@D)
	@rm -rf $@ $(LANGUAGES:%=build/texts/%/$*)
	rouge-cli campaign check submissions/$*.zip -o build/texts --findings $@ || test -s $@

# The scores of a team in a language; empty if it has no texts there. The references are the copies of those listed.
define SCORE
build/scores/$(1)/%.json: build/checked/%.txt build/METRICS build/OPTIONS $(CAMPAIGN) build/references/$(1).txt
	@mkdir -p $$(@D)
	@if test -d build/texts/$(1)/$$*; then set -x; \
		rouge-cli score --pred build/texts/$(1)/$$* --ref build/references/$(1) --language $(1) -m $(METRICS) $(OPTIONS) \
			--per-eval --format json -o $$@; \
	else : > $$@; fi

# The page of a language; empty if no team has texts in it.
build/pages/$(1).html: $(TEAMS:%=build/scores/$(1)/%.json) build/TEAMS build/TITLE
	@mkdir -p $$(@D)
	@scores="$$$$(find build/scores/$(1) -name '*.json' -size +0 2>/dev/null | sort)"; \
	if test -n "$$$$scores"; then rouge-cli report $$$$scores --quiet --title="$$$$TITLE: $(1)" -o $$@; \
	else : > $$@; fi
endef
$(foreach language,$(LANGUAGES),$(eval $(call SCORE,$(language))))

# A file contains the variable of its name. It is written if the variable changes, also on the command line. Teams
# that have gone leave no findings and no scores.
build/TITLE build/TEAMS build/METRICS build/OPTIONS: FORCE
	@mkdir -p build/checked
	@printf '%s\n' "$${$(@F)}" | cmp -s - $@ || printf '%s\n' "$${$(@F)}" > $@
	@rm -f $(filter-out $(TEAMS:%=build/checked/%.txt) $(SCORES),$(wildcard build/checked/*.txt build/scores/*/*.json))

clean:
	rm -rf build leaderboard.html
