#!/usr/bin/env perl
# BLEU in Perl, as an example of a new implementation: truebleu check -- perl bleu.pl
# It splits at white space, and skips what it does not know.
use strict;
use warnings;
use JSON::PP;

$| = 1;
my $json = JSON::PP->new->utf8->canonical;

while (my $line = <STDIN>) {
    my $case = $json->decode($line);
    my %answer = (id => $case->{id}, answer($case));
    # Enough digits for every bit; JSON::PP itself writes 15.
    my $score = delete $answer{score};
    my $text = $json->encode(\%answer);
    $text =~ s/\}$/sprintf(',"score":%.17g}', $score)/e if defined $score;
    print "$text\n";
}

sub answer {
    my ($case) = @_;
    my $settings = $case->{settings};
    return (skip => "only scores of BLEU") if $case->{answer} ne "score" || $case->{metric} ne "bleu";
    return (skip => "no tokenizer") if $settings->{tokenize} ne "none";
    return (skip => "no smoothing") if $settings->{smooth_method} ne "none";
    return (skip => "no effective order") if $settings->{effective_order};
    my ($hyp, $refs) = @$case{qw(hyp refs)};
    return (skip => "no final sigma") if $settings->{lowercase} && "@$hyp" =~ /\x{3a3}/;
    return (error => "as many lists of references as segments are needed") if @$hyp != @$refs || !@$hyp;
    return (error => "a segment has no reference") if grep { !@$_ } @$refs;

    my $order = $settings->{max_ngram_order};
    my (@matches, @totals);
    my ($hyp_len, $ref_len) = (0, 0);
    for my $i (0 .. $#$hyp) {
        my @tokens = map { [words($_, $settings)] } $hyp->[$i], @{ $refs->[$i] };
        my @hyp = @{ shift @tokens };
        $hyp_len += @hyp;
        $ref_len += closest(scalar @hyp, map { scalar @$_ } @tokens);
        for my $n (1 .. $order) {
            my $counts = ngrams($n, \@hyp);
            my %most;
            for my $ref (@tokens) {
                my $own = ngrams($n, $ref);
                $most{$_} = max($most{$_} // 0, $own->{$_}) for keys %$own;
            }
            for my $ngram (keys %$counts) {
                $totals[$n] += $counts->{$ngram};
                $matches[$n] += min($counts->{$ngram}, $most{$ngram} // 0);
            }
        }
    }
    my $logs = 0;
    for my $n (1 .. $order) {
        return (score => 0) if !$matches[$n];
        $logs += log($matches[$n] / $totals[$n]);
    }
    my $penalty = $hyp_len < $ref_len ? exp(1 - $ref_len / $hyp_len) : 1;
    return (score => 100 * $penalty * exp($logs / $order));
}

# Without an argument, split would not know all of Unicode's white space.
sub words {
    my ($text, $settings) = @_;
    $text = lc $text if $settings->{lowercase};
    return grep { length } split /[\s\x1c-\x1f\x85\xa0]+/, $text;
}

sub ngrams {
    my ($n, $words) = @_;
    my %counts;
    $counts{ join " ", @$words[$_ .. $_ + $n - 1] }++ for 0 .. @$words - $n;
    return \%counts;
}

sub closest {
    my ($length, @lengths) = @_;
    my ($best) = sort { abs($a - $length) <=> abs($b - $length) || $a <=> $b } @lengths;
    return $best;
}

sub max { return $_[0] > $_[1] ? $_[0] : $_[1] }
sub min { return $_[0] < $_[1] ? $_[0] : $_[1] }
